import type { ChainId, HistoryItem, HistoryTransfer, IndexedSince } from '@latchkey/protocol'
import type { Database } from '../../kit/database/database.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import { transferKinds, type Hex, type TransferKind } from '../../indexer/block.ts'
import type { IndexedChain, IndexedChains } from '../../indexer/indexedChains.ts'
import type { NftFacts, NftFactsReader } from '../nfts/nftFacts.ts'
import type { NftId } from '../nfts/nftMetadata.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { TokenFacts, TokenFactsReader } from '../tokens/tokenFacts.ts'
import { parseHistoryCursor, formatHistoryCursor } from './historyCursor.ts'
import type { HistorySource } from './historySource.ts'
import { filterTransfers, getCounterparty, getOperationType, isTransfer, type TransferRecord } from './operationType.ts'

type TransferRow = [
  kind: TransferKind,
  token: string,
  sender: string,
  receiver: string,
  tokenId: string | null,
  amount: string,
]

/** Hashes and addresses are selected as hex. */
type HistoryRow = Pick<
  TableRow<'index_transaction'>,
  'chain' | 'block' | 'position' | 'mined_at' | 'nonce' | 'succeeded'
> & {
  hash: Hex
  sender: Hex
  receiver: Hex | null
  created: Hex | null
  method: Hex | null
  transfers: readonly TransferRow[] | null
}

/** Further transfers of a transaction are left out. */
const transfersPerTransaction = 50

/**
 * The keys of a page on several chains: the newest of each chain, merged. The bound of `mined_at` limits the scan, because
 * the order of the rows is by chain only after the time.
 */
const keysOnChains = `
    select keys.* from unnest($2::int[]) as wanted(chain), lateral (
      select each.chain, block, position, mined_at from index_activity as each
      where address = $1 and each.chain = wanted.chain and mined_at <= $3
        and (mined_at, each.chain, block, position) < ($3, $4, $5, $6)
      order by mined_at desc, block desc, position desc limit $7
    ) as keys
    order by mined_at desc, chain desc, block desc, position desc limit $7`

/** The keys of a page on one chain. `$4`, the chain of the cursor, has no use. */
const keysOnChain = `
    select chain, block, position, mined_at from index_activity
    where address = $1 and chain = ($2::int[])[1] and (mined_at, block, position) < ($3, $5, $6)
      and $4::int is not null
    order by mined_at desc, block desc, position desc limit $7`

const createPageStatement = (keys: string): string => `
  with page as (${keys}
  )
  select page.chain, page.block, page.position, page.mined_at, '0x' || encode(own.hash, 'hex') as hash,
    '0x' || encode(own.sender, 'hex') as sender, '0x' || encode(own.receiver, 'hex') as receiver,
    '0x' || encode(own.created, 'hex') as created, own.nonce, '0x' || encode(own.method, 'hex') as method, own.succeeded,
    (
      select json_agg(json_build_array(
        kind, encode(token, 'hex'), encode(sender, 'hex'), encode(receiver, 'hex'), token_id::text, amount::text
      ) order by ordinal)
      from (
        select * from index_transfer as each
        where each.chain = page.chain and each.block = page.block and each.position = page.position
          and (each.sender = $1 or each.receiver = $1)
        order by ordinal limit ${transfersPerTransaction}
      ) as concerned
    ) as transfers
  from page join index_transaction as own using (chain, block, position)
  order by page.mined_at desc, page.chain desc, page.block desc, page.position desc`

const pageOnChains = { name: 'history-page', text: createPageStatement(keysOnChains) }
const pageOnChain = { name: 'history-page-chain', text: createPageStatement(keysOnChain) }

/** The statement of a page on a number of chains. */
export function getPageStatement(chains: number): { name: string; text: string } {
  return chains === 1 ? pageOnChain : pageOnChains
}

const unlimited = 999_999_999_999_999

/** Metadata of the tokens and NFTs on a page, by `chain/token` and `chain/token/tokenId`. */
type PageFacts = { tokens: ReadonlyMap<string, TokenFacts>; nfts: ReadonlyMap<string, NftFacts> }

export type IndexHistoryDependencies = {
  database: Database
  indexed: IndexedChains
  tokens: TokenFactsReader
  nfts: NftFactsReader
}

/** Creates the history source on our own index. */
export function createIndexHistory(dependencies: IndexHistoryDependencies): HistorySource {
  const { database, indexed } = dependencies
  return {
    covers: (chain) => indexed.byCaip(chain.caipNetworkId) !== undefined,
    async page({ chains, address, cursor, size }) {
      const account: Hex = `0x${address.slice(2).toLowerCase()}`
      const numbers = chains.flatMap(({ caipNetworkId }) => indexed.byCaip(caipNetworkId)?.chain ?? [])
      const after = cursor === undefined ? [unlimited, 0, 0, 0] : parseHistoryCursor(cursor, 4)
      // One row more than the page holds shows whether another page follows.
      const values = [`\\x${account.slice(2)}`, numbers, ...after, size + 1]
      const { name, text } = getPageStatement(numbers.length)
      const [rows, indexedSince] = await Promise.all([
        database.run<HistoryRow>(name, text, values),
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
        next: last === undefined ? null : formatHistoryCursor([last.mined_at, last.chain, last.block, last.position]),
        indexedSince,
      }
    },
  }
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
    const transfers = rows.filter((row) => row.chain === number).flatMap(toTransferRecords)
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

/** Returns undefined if the account only occurs in transfers of nothing by another account. */
function toIndexedHistoryItem(
  row: HistoryRow,
  account: Hex,
  chain: IndexedChain | undefined,
  facts: PageFacts,
): HistoryItem | undefined {
  const isParty = [row.sender, row.receiver, row.created].includes(account)
  const movements = filterTransfers(toTransferRecords(row), { isSigner: row.sender === account })
  if (movements.length === 0 && !isParty) return undefined
  return {
    id: `${chain?.caip ?? row.chain}:${row.hash}`,
    metadata: {
      operationType: getOperationType({ ...row, account, movements }),
      hash: row.hash,
      minedAt: new Date(row.mined_at).toISOString(),
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

function toTransferRecords({ transfers }: HistoryRow): readonly TransferRecord[] {
  return (transfers ?? []).map(([kind, token, sender, receiver, tokenId, amount]) => ({
    kind,
    token: `0x${token}`,
    sender: `0x${sender}`,
    receiver: `0x${receiver}`,
    tokenId,
    amount,
  }))
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
