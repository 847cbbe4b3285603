import type { ClickHouse } from '../../kit/clickhouse/connectClickHouse.ts'

/**
 * One row per address and transaction, with all that a page shows, so that a page is one range of the primary key. The hash
 * of the block is part of the sorting key: rows of different branches never replace each other. An insert that is repeated
 * replaces its rows when parts are merged.
 *
 * A page reads a granule of each part. Partitions of a year instead of a month keep the number of parts small, and small
 * granules the bytes of each.
 *
 * Amounts, ids and hashes are text, because the store only returns them. Missing addresses and methods are empty.
 */
const createTable = `
  create table if not exists index_history (
    address String,
    chain UInt32,
    mined_at Int64,
    block Int64,
    position UInt32,
    block_hash String,
    hash String,
    sender String,
    receiver String,
    created String,
    nonce Int64,
    method String,
    succeeded Bool,
    transfers Array(Tuple(UInt8, String, String, String, Nullable(String), String)),
    index by_block block type minmax granularity 1
  )
  engine = ReplacingMergeTree
  partition by toYear(fromUnixTimestamp64Milli(mined_at))
  primary key (address, chain, mined_at)
  order by (address, chain, mined_at, block, position, block_hash)
  settings index_granularity = 512`

/** The columns in the order in which rows are inserted. */
export const historyColumns = [
  'address',
  'chain',
  'mined_at',
  'block',
  'position',
  'block_hash',
  'hash',
  'sender',
  'receiver',
  'created',
  'nonce',
  'method',
  'succeeded',
  'transfers',
] as const

/** Creates the table if it is missing. An operator may have created it with another engine, such as a replicated one. */
export async function createHistoryTable(clickHouse: ClickHouse): Promise<void> {
  await clickHouse.execute(createTable)
}
