import type { HeldNft, HistoryItem, HistoryTransfer, TokenBalance } from '@latchkey/protocol'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import type { SpamReports } from './spamReports.ts'

/** True for the CAIP-10 id of a contract that counts as spam. */
export type IsMarked = (id: string) => boolean

/** Marks contracts as spam: those of the operator, and those that enough clients reported. */
export type SpamMarks = {
  /** Gets the present marks. Never rejects. */
  get(): Promise<IsMarked>
}

export type SpamMarksOptions = {
  chains: readonly Chain[]
  reports: SpamReports
  /** The clients that must report a contract. Reports alone mark nothing if omitted. */
  threshold: number | undefined
  clock: Clock
  log: FastifyBaseLogger
}

const refreshMs = 60_000

/** Creates the marks. Reports count after a minute at most. Tokens of the operator's list are never marked. */
export function createSpamMarks({ chains, reports, threshold, clock, log }: SpamMarksOptions): SpamMarks {
  const toIds = (list: (chain: Chain) => readonly string[]): ReadonlySet<string> =>
    new Set(chains.flatMap((chain) => list(chain).map((asset) => `${chain.caipNetworkId}:${asset}`.toLowerCase())))
  const own = toIds(({ spamTokens = [] }) => spamTokens)
  const listed = toIds(({ tokens }) => tokens.map(({ address }) => address))
  let reported: ReadonlySet<string> = new Set()
  let readAt: number | undefined
  let reading: Promise<void> | undefined

  async function read(clients: number): Promise<void> {
    try {
      const found = await reports.listReportedBy(clients)
      reported = new Set(found.map(({ chain, asset }) => `${chain}:${asset}`.toLowerCase()))
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'the reports of spam could not be read')
    }
    readAt = clock.now()
  }

  return {
    async get() {
      const isFresh = readAt !== undefined && clock.now() - readAt < refreshMs
      if (threshold !== undefined && !isFresh) {
        reading ??= read(threshold).finally(() => (reading = undefined))
        await reading
      }
      return (id) => {
        const key = id.toLowerCase()
        return (own.has(key) || reported.has(key)) && !listed.has(key)
      }
    },
  }
}

/** Removes marked tokens from balances, except the requested ones. */
export function removeMarked(
  balances: readonly TokenBalance[],
  isMarked: IsMarked,
  required: ReadonlySet<string>,
): readonly TokenBalance[] {
  return balances.filter(
    ({ address }) => address === undefined || required.has(address.toLowerCase()) || !isMarked(address),
  )
}

/** Flags the marked NFTs. */
export function flagNfts(nfts: readonly HeldNft[], isMarked: IsMarked): readonly HeldNft[] {
  return nfts.map((nft) => (isMarked(`${nft.chainId}:${nft.contract}`) ? { ...nft, isSpam: true } : nft))
}

/** Flags the marked tokens and NFTs of a history. */
export function flagHistory(items: readonly HistoryItem[], isMarked: IsMarked): readonly HistoryItem[] {
  return items.map((item) => ({ ...item, transfers: item.transfers.map((each) => flagTransfer(each, isMarked)) }))
}

function flagTransfer(transfer: HistoryTransfer, isMarked: IsMarked): HistoryTransfer {
  const { fungible_info: fungible, nft_info: nft } = transfer
  const flags = { is_spam: true }
  if (fungible?.address !== undefined && isMarked(fungible.address)) {
    return { ...transfer, fungible_info: { ...fungible, flags } }
  }
  if (nft?.address !== undefined && isMarked(nft.address)) return { ...transfer, nft_info: { ...nft, flags } }
  return transfer
}
