import { sql, type Kysely } from 'kysely'

/** Rows of a table by the value of an indexed column, in milliseconds since the epoch. */
export type OldRows = { readonly table: string; readonly column: string; readonly upTo: number }

const batchSize = 1_000
/** A sweep ends after this many batches. The next one continues. */
const maxBatches = 100

/** Deletes old rows in batches, so that no statement holds many locks. */
export async function sweepRows(database: Kysely<unknown>, rows: OldRows): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const { numAffectedRows = 0n } = await deleteOldRows(rows).execute(database)
    if (numAffectedRows < batchSize) return
  }
}

/** Returns the statement that deletes the oldest rows, at most a thousand. */
export function deleteOldRows({ table, column, upTo }: OldRows) {
  return sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} <= ${upTo} order by ${sql.ref(column)} limit ${batchSize}))`
}
