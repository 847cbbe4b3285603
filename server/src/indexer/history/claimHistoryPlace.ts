import type { Database } from '../../kit/database/database.ts'

/** The database in which the transactions of an index are. */
export type HistoryStorePlace = 'PostgreSQL' | 'ClickHouse'

/**
 * Notes where the transactions of this database's index are. Another store would have none of those before the head.
 *
 * @throws Error with a sentence if they are in another store
 */
export async function claimHistoryPlace(database: Database, place: HistoryStorePlace): Promise<void> {
  const [row] = await database.run<{ isNoted: boolean; isBegun: boolean }>('history-place', selectPlace, [])
  if (place === 'PostgreSQL' && row?.isNoted === true) {
    throw new Error('The histories of this database are in ClickHouse. Set HISTORY_URL, or use an empty database.')
  }
  if (place === 'PostgreSQL' || row?.isNoted === true) return
  if (row?.isBegun === true) {
    throw new Error(
      'The histories of this database are in PostgreSQL. Use an empty database, or leave HISTORY_URL out.',
    )
  }
  await database.run('history-place-note', notePlace, [])
}

const selectPlace = `
  select exists (select from index_history_place) as "isNoted",
    exists (select from index_chain where head >= first_block) as "isBegun"`

const notePlace = `insert into index_history_place (place) values ('ClickHouse') on conflict do nothing`
