import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Secrets } from '../kit/secrets.ts'

/**
 * The secret that mailboxes and codes are hashed with. It stays the same when master keys change, so it is kept sealed
 * under them: the database alone does not tell it. Whoever starts with other master keys stops here, with nothing changed.
 */
export async function pepperOf(parts: {
  database: Kysely<unknown>
  secrets: Secrets
  /** Each service has its own. */
  table: 'auth_pepper' | 'share_pepper'
}): Promise<Buffer> {
  const { database, secrets, table } = parts
  const place = { table, row: '1', owner: 'service' }
  const name = sql.table(table)
  const made = await secrets.seal(place, randomBytes(32))
  await sql`insert into ${name} (id, secret) values (1, ${made}) on conflict do nothing`.execute(database)
  const { rows } = await sql<{ secret: Buffer }>`select secret from ${name}`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The pepper that was just written is not there.')
  return secrets.open(place, row.secret)
}
