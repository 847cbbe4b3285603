import type { HistoryPage } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'

export type HistoryRequest = {
  /** Chains of one namespace; at least one. */
  chains: readonly Chain[]
  address: string
  /** The `next` of the previous page. */
  cursor: string | undefined
  /** Maximum number of items. */
  size: number
}

/** A source of histories: our own index, the nodes of a chain, or a provider. */
export type HistorySource = {
  /** True if the source has the history of a chain. */
  covers(chain: Chain): boolean
  /** @throws Problem 400 `cursor` if another source created the cursor */
  page(request: HistoryRequest): Promise<HistoryPage>
}
