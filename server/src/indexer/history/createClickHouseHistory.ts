import type { FastifyBaseLogger } from 'fastify'
import type { ClickHouse } from '../../kit/clickhouse/connectClickHouse.ts'
import type { Database } from '../../kit/database/database.ts'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import type { Block, Hex, Transaction } from '../block.ts'
import { createHistoryLedger, type HistoryLedger } from './createHistoryLedger.ts'
import { listHistoryPage } from './listHistoryPage.ts'
import { transfersPerTransaction, type HistoryStore, type Writer } from './historyStore.ts'
import { createHistoryTable, historyColumns } from './historyTable.ts'

export type ClickHouseHistoryDependencies = { clickHouse: ClickHouse; database: Database; log: FastifyBaseLogger }

/**
 * Creates the store on ClickHouse, and its table. ClickHouse cannot compare and set, so that the ledger stays in PostgreSQL:
 * rows are inserted first, and become visible when the ledger has their block. Rows of a writer that failed in between, or
 * whose term was over, are never visible, because their block is above the head or has another hash.
 */
export async function createClickHouseHistory({
  clickHouse,
  database,
  log,
}: ClickHouseHistoryDependencies): Promise<HistoryStore> {
  await createHistoryTable(clickHouse)
  const ledger = createHistoryLedger(database)
  const insert = (chain: number, blocks: readonly Block[]): Promise<void> =>
    clickHouse.insert('index_history', historyColumns, toRows(chain, blocks))
  return {
    async add(position, blocks, options) {
      await insert(position.chain, blocks)
      return ledger.add(position, { blocks, stored: [] }, options)
    },
    async rewind(position, to) {
      if (!(await ledger.rewind(position, to))) return false
      // The rows are no longer visible.
      await removeAbove(clickHouse, position.chain, to).catch((error: unknown) => {
        log.warn({ chain: position.chain, reason: errorMessage(error) }, 'rows of removed blocks stay in ClickHouse')
      })
      return true
    },
    async addFound(writer, gap, { blocks, below }) {
      if (!(await ledger.ownsBlocks(writer, blocks))) return false
      await insert(writer.chain, blocks)
      return ledger.addFound(writer, gap, { blocks, stored: [], below })
    },
    async trim(writer, address, { maxTransactions, first }) {
      const last = await findBlockAfter(clickHouse, writer.chain, address, maxTransactions)
      if (last === undefined) return
      if (await ledger.trim(writer, address, { maxTransactions, first, last })) {
        await removeActivity(clickHouse, writer.chain, { address, last })
      }
    },
    async remove(writer, address) {
      if (!(await ledger.ownsBlocks(writer, []))) return
      await removeActivity(clickHouse, writer.chain, { address, last: Number.MAX_SAFE_INTEGER })
    },
    async forgetHashes(writer, below) {
      await ledger.forgetHashes(writer, await removeOrphans({ clickHouse, ledger }, writer, below))
    },
    page: (request) => listHistoryPage({ clickHouse, ledger }, request),
    async findLastBlock(chain, account) {
      const request = { account, chains: [chain], after: undefined, limit: 1 }
      return (await listHistoryPage({ clickHouse, ledger }, request))[0]?.block
    },
  }
}

function* toRows(chain: number, blocks: readonly Block[]): Generator<readonly unknown[]> {
  for (const block of blocks) {
    for (const transaction of block.transactions) {
      for (const address of transaction.touched) yield toRow(chain, block, transaction, address)
    }
  }
}

/** The values in the order of `historyColumns`. */
function toRow(chain: number, block: Block, transaction: Transaction, address: Hex): readonly unknown[] {
  const { position, hash, sender, receiver = '', created = '', nonce, method = '', succeeded } = transaction
  const transfers = transaction.transfers
    .filter((each) => each.sender === address || each.receiver === address)
    .slice(0, transfersPerTransaction)
    .map((each) => [
      each.kind,
      each.token,
      each.sender,
      each.receiver,
      each.tokenId === undefined ? null : String(each.tokenId),
      String(each.amount),
    ])
  return [
    address,
    chain,
    block.minedAt,
    block.number,
    position,
    block.hash,
    hash,
    sender,
    receiver,
    created,
    nonce,
    method,
    succeeded,
    transfers,
  ]
}

const removeAbove = (clickHouse: ClickHouse, chain: number, block: number): Promise<void> =>
  clickHouse.execute(`delete from index_history where chain = {chain:UInt32} and block > {block:Int64}`, {
    chain,
    block,
  })

const removeActivity = (
  clickHouse: ClickHouse,
  chain: number,
  { address, last }: { address: Hex; last: number },
): Promise<void> =>
  clickHouse.execute(
    `delete from index_history where address = {address:String} and chain = {chain:UInt32} and block <= {last:Int64}`,
    { address, chain, last },
  )

/** Gets the block of the transaction that follows the newest ones. */
async function findBlockAfter(
  clickHouse: ClickHouse,
  chain: number,
  address: Hex,
  newest: number,
): Promise<number | undefined> {
  const statement = `
    select block from index_history where address = {address:String} and chain = {chain:UInt32}
    order by mined_at desc, block desc, position desc, block_hash desc
    limit 1 by block, position, block_hash limit 1 offset {newest:UInt32}`
  const [row] = await clickHouse.select<{ block: number }>(statement, { address, chain, newest })
  return row?.block
}

/** Hashes per statement. They are part of its URL. */
const hashesPerStatement = 100
const statementsPerRun = 50

/**
 * Deletes rows of blocks whose hashes are about to be forgotten, if they belong to another branch. Without the hashes they
 * would become visible.
 *
 * @returns the block below which hashes may be forgotten now
 */
async function removeOrphans(
  { clickHouse, ledger }: { clickHouse: ClickHouse; ledger: HistoryLedger },
  { chain }: Writer,
  below: number,
): Promise<number> {
  const orphaned = `chain = {chain:UInt32} and block >= {first:Int64} and block <= {last:Int64}
    and has({blocks:Array(Int64)}, block) and not has({hashes:Array(String)}, block_hash)`
  let from = 0
  for (let run = 0; run < statementsPerRun; run += 1) {
    const known = await ledger.listHashes(chain, { from, below, limit: hashesPerStatement })
    const [first, last] = [known[0]?.block, known.at(-1)?.block]
    if (first === undefined || last === undefined) return below
    const params = {
      chain,
      first,
      last,
      blocks: known.map(({ block }) => block),
      hashes: known.map(({ hash }) => hash),
    }
    const [found] = await clickHouse.select<{ count: number }>(
      `select count() as count from index_history where ${orphaned}`,
      params,
    )
    // A deletion rewrites parts, so that it is only made if there is a row.
    if ((found?.count ?? 0) > 0) await clickHouse.execute(`delete from index_history where ${orphaned}`, params)
    from = last + 1
  }
  return from
}
