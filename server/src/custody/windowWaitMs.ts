import { sql, type Kysely } from 'kysely'

/** The rows that are counted: a table, its time column in milliseconds, the value of a column, and those of further columns. */
export type CountedRows = {
  table: string
  time: string
  column: string
  value: Buffer | string
  also?: Readonly<Record<string, Buffer | string | boolean>>
}

/**
 * Returns how long to wait until a sliding window has room for one more row.
 *
 * @returns milliseconds until the oldest row that counts leaves the window; 0 or less if there is room
 */
export async function windowWaitMs(
  database: Kysely<unknown>,
  { table, time, column, value, also }: CountedRows,
  { withinMs, max, now }: { withinMs: number; max: number; now: number },
): Promise<number> {
  const isCounted = Object.entries({ [column]: value, ...also }).map(([name, each]) => sql`${sql.ref(name)} = ${each}`)
  const { rows } = await sql<{ at: number }>`
    select ${sql.ref(time)} as at from ${sql.table(table)}
    where ${sql.join(isCounted, sql` and `)} and ${sql.ref(time)} > ${now - withinMs}
    order by ${sql.ref(time)} desc limit 1 offset ${max - 1}`.execute(database)
  const [row] = rows
  return row === undefined ? 0 : row.at + withinMs - now
}
