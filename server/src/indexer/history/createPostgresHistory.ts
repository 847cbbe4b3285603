import type { Database } from '../../kit/database/database.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { Hex, TransferKind } from '../block.ts'
import { createHistoryLedger } from './createHistoryLedger.ts'
import {
  transfersPerTransaction,
  type HistoryPageRequest,
  type HistoryRow,
  type HistoryStore,
  type Writer,
} from './historyStore.ts'
import { ownChain } from './ownChain.ts'
import { toBytea } from './toBytea.ts'

/** Creates the store on the server's database. Transactions and the ledger change in the same statement. */
export function createPostgresHistory(database: Database): HistoryStore {
  const ledger = createHistoryLedger(database)
  return {
    add: (position, blocks, options) => ledger.add(position, { blocks, stored: blocks }, options),
    rewind: ledger.rewind,
    async addFound(writer, gap, { blocks, below }) {
      // Another endpoint of the chain may be on another branch, whose transactions no reorg would remove.
      if (blocks.length > 0 && !(await ledger.ownsBlocks(writer, blocks))) return false
      return ledger.addFound(writer, gap, { blocks, stored: blocks, below })
    },
    async trim(writer, address, { maxTransactions, first }) {
      const values = [writer.chain, writer.term, toBytea(address), maxTransactions, first]
      const [row] = await database.run<{ last: number }>('address-trim', trimAddress, values)
      if (row !== undefined) await deleteActivity(database, writer, { address, last: row.last })
    },
    remove: (writer, address) => deleteActivity(database, writer, { address, last: Number.MAX_SAFE_INTEGER }),
    forgetHashes: ledger.forgetHashes,
    page: (request) => listPage(database, request),
    async findLastBlock(chain, account) {
      const [row] = await database.run<{ block: number }>('history-last', selectLastBlock, [chain, toBytea(account)])
      return row?.block
    },
  }
}

type TransferRow = [
  kind: TransferKind,
  token: string,
  sender: string,
  receiver: string,
  tokenId: string | null,
  amount: string,
]

/** Hashes and addresses are selected as hex. */
type PageRow = Pick<
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

/** Later than every transaction. */
const unlimited = 999_999_999_999_999

async function listPage(
  database: Database,
  { account, chains, after, limit }: HistoryPageRequest,
): Promise<readonly HistoryRow[]> {
  const { minedAt, chain, block, position } = after ?? { minedAt: unlimited, chain: 0, block: 0, position: 0 }
  const { name, text } = getPageStatement(chains.length)
  const values = [toBytea(account), chains, minedAt, chain, block, position, limit]
  return (await database.run<PageRow>(name, text, values)).map(toHistoryRow)
}

function toHistoryRow({ mined_at: minedAt, transfers, ...row }: PageRow): HistoryRow {
  return {
    ...row,
    minedAt,
    transfers: (transfers ?? []).map(([kind, token, sender, receiver, tokenId, amount]) => ({
      kind,
      token: `0x${token}`,
      sender: `0x${sender}`,
      receiver: `0x${receiver}`,
      tokenId,
      amount,
    })),
  }
}

const rowsPerStatement = 1_000

/** Deletes the activity of an address up to a block, and the transactions that no other address needs. */
async function deleteActivity(
  database: Database,
  { chain, term }: Writer,
  { address, last }: { address: Hex; last: number },
): Promise<void> {
  const values = [chain, term, toBytea(address), last, rowsPerStatement]
  let deleted = rowsPerStatement
  while (deleted === rowsPerStatement) {
    const [row] = await database.run<{ count: number }>('address-rows', deleteRows, values)
    deleted = row?.count ?? 0
  }
}

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

const selectLastBlock = `
  select block from index_activity where address = $2 and chain = $1 order by mined_at desc, block desc limit 1`

/** The gap then reaches up to the newest deleted block. */
const trimAddress = `
  with ${ownChain}, oldest as (
    select block from index_activity where address = $3 and chain = $1
    order by mined_at desc, block desc, position desc offset $4 limit 1
  )
  update index_address as each set transactions = $4, gap_from = coalesce(gap_from, $5), gap_to = oldest.block
  from own, oldest where each.chain = own.chain and address = $3
  returning oldest.block as last`

const deleteRows = `
  with ${ownChain}, chosen as (
    select mined_at, block, position from index_activity
    where chain = (select chain from own) and address = $3 and block <= $4 order by mined_at limit $5
  ), gone as (
    delete from index_activity as each using chosen
    where each.address = $3 and each.chain = $1 and each.mined_at = chosen.mined_at and each.block = chosen.block
      and each.position = chosen.position
    returning each.block, each.position
  ), unneeded as (
    select block, position from gone where not exists (
      select from index_transaction as own, unnest(array[own.sender, own.receiver, own.created]) as party
      join index_address as other on other.chain = $1 and other.address = party and other.address <> $3
      where own.chain = $1 and own.block = gone.block and own.position = gone.position
    ) and not exists (
      select from index_transfer as moved, unnest(array[moved.sender, moved.receiver]) as party
      join index_address as other on other.chain = $1 and other.address = party and other.address <> $3
      where moved.chain = $1 and moved.block = gone.block and moved.position = gone.position
    )
  ), transfers as (
    delete from index_transfer as each using unneeded
    where each.chain = $1 and each.block = unneeded.block and each.position = unneeded.position
  ), transactions as (
    delete from index_transaction as each using unneeded
    where each.chain = $1 and each.block = unneeded.block and each.position = unneeded.position
  )
  select count(*)::int as count from gone`

/** The statements whose plans a test reads. */
export const historyStatements = { trimAddress, deleteRows } as const
