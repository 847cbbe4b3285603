import type { HistoryPage } from '@latchkey/protocol'
import type { Chain } from '../../kit/chains.ts'

export type HistoryQuestion = {
  /** Chains of one namespace; at least one. */
  chains: readonly Chain[]
  address: string
  /** Where an earlier page ended, as its `next` said. */
  cursor: string | undefined
  /** At most so many. */
  size: number
}

/** Where histories come from: the own index, a chain's nodes, or a provider. Each passes `describeHistorySource`. */
export type HistorySource = {
  /** Whether it can tell the history of a chain. */
  covers(chain: Chain): boolean
  /** @throws Problem 400 `cursor` when it did not make the cursor. */
  page(question: HistoryQuestion): Promise<HistoryPage>
}
