import type pg from 'pg'
import { pause } from '../runtime/pause.ts'

/** The connections of a server that was just stopped end a moment later. */
const unusedAttempts = 25
const retryMs = 200

/** @throws Error with a sentence if other clients are connected to the database, now and for some seconds */
export async function assertUnused(client: pg.Client): Promise<void> {
  for (let attempt = 1; attempt <= unusedAttempts; attempt += 1) {
    const { rows: others } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`,
    )
    if (others.length === 0) return
    await pause(retryMs)
  }
  throw new Error('Other programs use the database: stop the server first.')
}
