import { sql, type Kysely } from 'kysely'
import { sweepRows } from './sweepRows.ts'

/** A refused attempt. */
export type Refusal = {
  readonly event: string
  readonly subject: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The thumbprint of the key that made the attempt. */
  readonly key: string | undefined
}

/** The counts of refused attempts, one row for each event, subject and hour. */
export type RefusalCounts = {
  /** Counts an attempt. Concurrent attempts are written together. */
  add(refusal: Refusal): Promise<void>
  /** Deletes rows after ninety days. @param now milliseconds since the epoch */
  sweep(now: number): Promise<void>
}

type Count = Refusal & { readonly hour: number; readonly attempts: number }

const hourMs = 60 * 60_000
const keptMs = 90 * 24 * hourMs

/** Creates the counts of a key service. */
export function createRefusalCounts({
  database,
  table,
}: {
  database: Kysely<unknown>
  table: 'auth_refusal' | 'share_refusal'
}): RefusalCounts {
  let waiting = new Map<string, Count>()
  let writing: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function write(): Promise<void> {
    next = undefined
    const counts = [...waiting.values()]
    waiting = new Map()
    await writeCounts(database, table, counts)
  }

  return {
    add(refusal) {
      const hour = Math.floor(refusal.at / hourMs) * hourMs
      const id = JSON.stringify([refusal.event, refusal.subject, hour])
      waiting.set(id, { ...refusal, hour, attempts: (waiting.get(id)?.attempts ?? 0) + 1 })
      next ??= writing = writing.then(write, write)
      return next
    },
    sweep: (now) => sweepRows(database, { table, column: 'hour', upTo: now - keptMs }),
  }
}

async function writeCounts(database: Kysely<unknown>, table: string, counts: readonly Count[]): Promise<void> {
  const rows = counts.map(
    ({ event, subject, hour, attempts, at, key }) =>
      sql`(${event}, ${subject}, ${hour}, ${attempts}, ${at}, ${key ?? null})`,
  )
  await sql`
    insert into ${sql.table(table)} as known (event, subject, hour, attempts, latest_at, latest_key)
    values ${sql.join(rows)}
    on conflict (event, subject, hour) do update set attempts = known.attempts + excluded.attempts,
      latest_at = excluded.latest_at, latest_key = excluded.latest_key`.execute(database)
}
