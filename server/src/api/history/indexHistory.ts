import type { ChainId, HistoryItem, HistoryTransfer, IndexedSince } from '@latchkey/protocol'
import type { Database } from '../../kit/database/database.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import { transferKinds, type Hex, type TransferKind } from '../../indexer/block.ts'
import type { HistoryPlace, HistoryRow, HistoryStore, TransferRecord } from '../../indexer/history/historyStore.ts'
import type { IndexedChain, IndexedChains } from '../../indexer/indexedChains.ts'
import type { NftFacts, NftFactsReader } from '../nfts/nftFacts.ts'
import type { NftId } from '../nfts/nftMetadata.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { TokenFacts, TokenFactsReader } from '../tokens/tokenFacts.ts'
import { parseHistoryCursor, formatHistoryCursor } from './historyCursor.ts'
import type { HistorySource } from './historySource.ts'
import { filterTransfers, getCounterparty, getOperationType, isTransfer } from './operationType.ts'

/** Metadata of the tokens and NFTs on a page, by `chain/token` and `chain/token/tokenId`. */
type PageFacts = { tokens: ReadonlyMap<string, TokenFacts>; nfts: ReadonlyMap<string, NftFacts> }

export type IndexHistoryDependencies = {
  database: Database
  store: HistoryStore
  indexed: IndexedChains
  tokens: TokenFactsReader
  nfts: NftFactsReader
}

/** Creates the history source on our own index. */
export function createIndexHistory(dependencies: IndexHistoryDependencies): HistorySource {
  const { store, indexed } = dependencies
  return {
    covers: (chain) => indexed.byCaip(chain.caipNetworkId) !== undefined,
    async page({ chains, address, cursor, size }) {
      const account: Hex = `0x${address.slice(2).toLowerCase()}`
      const numbers = chains.flatMap(({ caipNetworkId }) => indexed.byCaip(caipNetworkId)?.chain ?? [])
      const after = cursor === undefined ? undefined : parsePlace(cursor)
      const [rows, indexedSince] = await Promise.all([
        // One row more than the page holds shows whether another page follows.
        store.page({ account, chains: numbers, after, limit: size + 1 }),
        getIndexedSince(dependencies, numbers, account),
      ])
      const shown = rows.slice(0, size)
      // While older transactions are being indexed, a page that ends with the indexed ones has a successor.
      const isGrowing = indexedSince.some(
        ({ chain, block }) => block > (indexed.byCaip(chain)?.requested?.from ?? block),
      )
      const last = rows.length > size || isGrowing ? shown.at(-1) : undefined
      const facts = await getPageFacts(dependencies, shown)
      return {
        data: shown.flatMap((row) => toIndexedHistoryItem(row, account, indexed.byNumber(row.chain), facts) ?? []),
        next: last === undefined ? null : formatPlace(last),
        indexedSince,
      }
    },
  }
}

function formatPlace({ minedAt, chain, block, position }: HistoryPlace): string {
  return formatHistoryCursor([minedAt, chain, block, position])
}

function parsePlace(cursor: string): HistoryPlace {
  const [minedAt = 0, chain = 0, block = 0, position = 0] = parseHistoryCursor(cursor, 4)
  return { minedAt, chain, block, position }
}

/** The gap of a requested address begins at the oldest block, so that the blocks above it are complete. */
const selectSince = `
  select own.chain, own.first_block, own.since, own.head, own_address.followed, own_address.gap_to
  from index_chain as own
  left join index_address as own_address on own_address.chain = own.chain and own_address.address = $2
  where own.chain = any($1::int[]) order by own.chain`

type SinceRow = Pick<TableRow<'index_chain'>, 'chain' | 'first_block' | 'since' | 'head'> & {
  followed: boolean | null
  gap_to: number | null
}

/** Gets the first block of each chain whose transactions of an address are indexed. */
async function getIndexedSince(
  { database, indexed }: IndexHistoryDependencies,
  chains: readonly number[],
  account: Hex,
): Promise<readonly IndexedSince[]> {
  const values = [chains, `\\x${account.slice(2)}`]
  const rows = await database.run<SinceRow>('history-since', selectSince, values)
  return rows.flatMap((row) => {
    const chain = indexed.byNumber(row.chain)
    return chain === undefined ? [] : [toIndexedSince(row, chain)]
  })
}

function toIndexedSince(row: SinceRow, { caip, requested }: IndexedChain): IndexedSince {
  const { first_block: block, since, head, followed, gap_to: gapTo } = row
  const chain = caip as ChainId
  if (requested === undefined) return { chain, block, minedAt: since === null ? null : new Date(since).toISOString() }
  if (followed !== true) return { chain, block: head + 1, minedAt: null }
  return { chain, block: gapTo === null ? requested.from : gapTo + 1, minedAt: null }
}

/** Gets the metadata of a page, with one request per chain. */
async function getPageFacts(
  { indexed, tokens, nfts }: IndexHistoryDependencies,
  rows: readonly HistoryRow[],
): Promise<PageFacts> {
  const perChain = [...new Set(rows.map(({ chain }) => chain))].map(async (number) => {
    const chain = indexed.byNumber(number)
    if (chain === undefined) return { tokens: [], nfts: [] }
    const transfers = rows.filter((row) => row.chain === number).flatMap((row) => row.transfers)
    const contracts = transfers.filter(({ kind }) => kind !== transferKinds.native).map(({ token }) => token)
    const ids = transfers.flatMap(({ kind, token, tokenId }): NftId[] =>
      isNft(kind) && tokenId !== null ? [{ token, tokenId }] : [],
    )
    const [tokenFacts, nftFacts] = await Promise.all([tokens.of(chain, contracts), nfts.of(chain, ids)])
    return {
      tokens: [...tokenFacts].map(([token, facts]) => [`${number}/${token}`, facts] as const),
      nfts: [...nftFacts].map(([id, facts]) => [`${number}/${id}`, facts] as const),
    }
  })
  const facts = await Promise.all(perChain)
  return {
    tokens: new Map(facts.flatMap((each) => each.tokens)),
    nfts: new Map(facts.flatMap((each) => each.nfts)),
  }
}

/** Returns undefined if another account signed the transaction, and it moves nothing of this account. */
function toIndexedHistoryItem(
  row: HistoryRow,
  account: Hex,
  chain: IndexedChain | undefined,
  facts: PageFacts,
): HistoryItem | undefined {
  const movements = filterTransfers(row.transfers, { isSigner: row.sender === account })
  if (movements.length === 0 && ![row.sender, row.created].includes(account)) return undefined
  return {
    id: `${chain?.caip ?? row.chain}:${row.hash}`,
    metadata: {
      operationType: getOperationType({ ...row, account, movements }),
      hash: row.hash,
      minedAt: new Date(row.minedAt).toISOString(),
      sentFrom: row.sender,
      sentTo: row.receiver ?? row.created ?? '',
      status: row.succeeded ? 'confirmed' : 'failed',
      nonce: row.nonce,
      application: null,
      chain: (chain?.caip as ChainId | undefined) ?? null,
    },
    transfers: movements
      .filter(isTransfer)
      .map((transfer) => toIndexedTransfer(transfer, { account, number: row.chain, chain, facts })),
  }
}

function isNft(kind: TransferKind): boolean {
  return kind === transferKinds.erc721 || kind === transferKinds.erc1155
}

type TransferContext = {
  account: Hex
  /** The chain's number in the tables. */
  number: number
  chain: IndexedChain | undefined
  facts: PageFacts
}

function toIndexedTransfer(
  transfer: TransferRecord,
  { account, number, chain, facts }: TransferContext,
): HistoryTransfer {
  const { kind, token, sender, receiver, tokenId, amount } = transfer
  const known = kind === transferKinds.native ? chain?.native : facts.tokens.get(`${number}/${token}`)
  const common = {
    direction: sender === receiver ? ('self' as const) : receiver === account ? ('in' as const) : ('out' as const),
    counterparty: getCounterparty(transfer, account),
    value: null,
    price: null,
  }
  const address = kind === transferKinds.native || chain === undefined ? undefined : `${chain.caip}:${token}`
  if (isNft(kind)) {
    const nft = facts.nfts.get(`${number}/${token}/${tokenId ?? ''}`)
    const picture = nft?.picture === undefined ? null : { url: nft.picture, content_type: nft.contentType ?? null }
    return {
      ...common,
      fungible_info: null,
      nft_info: {
        name: nft?.name ?? known?.name ?? null,
        content: picture === null ? null : { preview: picture, detail: picture },
        flags: { is_spam: nft?.spam ?? false },
        ...(address === undefined ? {} : { address }),
      },
      quantity: { numeric: amount },
    }
  }
  const icon = known !== undefined && 'iconUrl' in known && known.iconUrl !== '' ? { url: known.iconUrl } : null
  const flags = { is_spam: known !== undefined && 'spam' in known && known.spam }
  return {
    ...common,
    fungible_info: {
      name: known?.name ?? null,
      symbol: known?.symbol ?? null,
      icon,
      flags,
      ...(address === undefined ? {} : { address }),
    },
    nft_info: null,
    quantity: { numeric: formatBaseUnits(BigInt(amount), known?.decimals ?? 0) },
  }
}
