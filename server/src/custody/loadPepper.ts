import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Secrets } from '../kit/secrets/secrets.ts'

export type PepperOptions = {
  database: Kysely<unknown>
  secrets: Secrets
  /** Each service has its own. */
  table: 'auth_pepper' | 'share_pepper'
}

/**
 * Loads the secret key of the keyed hashes of mailboxes and codes, and creates it on the first start.
 *
 * It stays the same when master keys change, so it is stored sealed under them: the database alone does not reveal it.
 *
 * @returns 32 bytes
 * @throws Error if the service starts with other master keys than those that sealed it; nothing is changed then
 */
export async function loadPepper({ database, secrets, table }: PepperOptions): Promise<Buffer> {
  const location = { table, row: '1', owner: 'service' }
  const name = sql.table(table)
  const created = await secrets.seal(location, randomBytes(32))
  await sql`insert into ${name} (id, secret) values (1, ${created}) on conflict do nothing`.execute(database)
  const { rows } = await sql<{ secret: Buffer }>`select secret from ${name}`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error('The pepper was written but cannot be read.')
  return secrets.open(location, row.secret)
}
