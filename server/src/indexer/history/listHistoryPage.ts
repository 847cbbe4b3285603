import type { ClickHouse, ClickHouseParams } from '../../kit/clickhouse/connectClickHouse.ts'
import type { Hex, TransferKind } from '../block.ts'
import type { HistoryLedger } from './createHistoryLedger.ts'
import type { HistoryPageRequest, HistoryRow } from './historyStore.ts'

type PageRow = {
  chain: number
  mined_at: number
  block: number
  position: number
  block_hash: Hex
  hash: Hex
  sender: Hex
  receiver: Hex | ''
  created: Hex | ''
  nonce: number
  method: Hex | ''
  succeeded: boolean
  transfers: readonly [TransferKind, Hex, Hex, Hex, string | null, string][]
}

/** The row after which a page begins. Rows of different branches may differ only in the hash of the block. */
type Place = { minedAt: number; chain: number; block: number; position: number; hash: string }

/** Later than every transaction. */
const end: Place = { minedAt: 999_999_999_999_999, chain: 0, block: 0, position: 0, hash: '' }

/**
 * Lists the visible rows of a page. Rows that the ledger does not have are rare, and are replaced by the following ones.
 */
export async function listHistoryPage(
  { clickHouse, ledger }: { clickHouse: ClickHouse; ledger: HistoryLedger },
  { account, chains, after, limit }: HistoryPageRequest,
): Promise<readonly HistoryRow[]> {
  if (chains.length === 0) return []
  const statement = getClickHousePageStatement(chains.length)
  const rows: HistoryRow[] = []
  for (let place: Place = after === undefined ? end : { ...after, hash: '' }; ;) {
    const found = await clickHouse.select<PageRow>(statement, toParams(account, chains, place, limit))
    // A repeated insert is stored twice until its parts are merged. Reading would not end with the page if ClickHouse removed
    // the second row.
    const visible = await ledger.filterVisible(
      found.map(({ chain, block, block_hash: hash }) => ({ chain, block, hash })),
    )
    const isFirst = (row: PageRow, index: number): boolean => index === 0 || !isSameRow(row, found[index - 1])
    rows.push(...found.filter((row, index) => visible.has(index) && isFirst(row, index)).map(toHistoryRow))
    const last = found.at(-1)
    if (last === undefined || found.length < limit || rows.length >= limit) return rows.slice(0, limit)
    const { mined_at: minedAt, chain, block, position, block_hash: hash } = last
    place = { minedAt, chain, block, position, hash }
  }
}

function isSameRow(row: PageRow, other: PageRow | undefined): boolean {
  const { chain, block, position, block_hash: hash } = row
  return other?.chain === chain && other.block === block && other.position === position && other.block_hash === hash
}

function toParams(
  account: Hex,
  chains: readonly number[],
  { minedAt, chain, block, position, hash }: Place,
  limit: number,
): ClickHouseParams {
  const wanted = Object.fromEntries(chains.map((each, index) => [`chain${index}`, each]))
  return { ...wanted, account, minedAt, chain, block, position, hash, limit }
}

const formatOrder = (chain: string): string => `mined_at desc, ${chain}block desc, position desc, block_hash desc`

/**
 * The rows of one chain. The bound of `mined_at` limits the range of the
 * primary key; the order is its order, so that reading ends with the page.
 */
const onChain = (index: number): string => `
  select chain, mined_at, block, position, block_hash, hash, sender, receiver, created, nonce, method, succeeded, transfers
  from index_history
  where address = {account:String} and chain = {chain${index}:UInt32} and mined_at <= {minedAt:Int64}
    and (mined_at, chain, block, position, block_hash)
      < ({minedAt:Int64}, {chain:UInt32}, {block:Int64}, {position:UInt32}, {hash:String})
  order by ${formatOrder('')}
  limit {limit:UInt32}`

/** A page is a few granules, which several threads would only read at a higher cost. */
const settings = 'settings max_threads = 1'

/** Gets the statement of a page on a number of chains: the newest rows of each, merged. */
export function getClickHousePageStatement(chains: number): string {
  if (chains === 1) return `${onChain(0)} ${settings}`
  const each = Array.from({ length: chains }, (_, index) => `(${onChain(index)})`)
  return `select * from (${each.join(' union all ')}) order by ${formatOrder('chain desc, ')} limit {limit:UInt32} ${settings}`
}

function toHistoryRow(row: PageRow): HistoryRow {
  return {
    chain: row.chain,
    minedAt: row.mined_at,
    block: row.block,
    position: row.position,
    hash: row.hash,
    sender: row.sender,
    receiver: row.receiver || null,
    created: row.created || null,
    nonce: row.nonce,
    method: row.method || null,
    succeeded: row.succeeded,
    transfers: row.transfers.map(([kind, token, sender, receiver, tokenId, amount]) => ({
      kind,
      token,
      sender,
      receiver,
      tokenId,
      amount,
    })),
  }
}
