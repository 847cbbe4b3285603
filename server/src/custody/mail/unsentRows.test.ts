import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createUnsentRows } from './unsentRows.ts'

let place: TestPostgres
let database: Database

beforeAll(async () => {
  place = await createTestDatabase('auth')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  return async () => {
    await database.close()
    await place.close()
  }
})

/** More than the pool has connections. */
const count = 200
/** Longer than a statement waits for a connection of the pool. */
const busyMs = 3_000

test(
  'rows of mails that fail at once are all deleted, although the database is busy for seconds [A-18]',
  { tags: 'faults' },
  async () => {
    const { kysely } = database
    const ids = Array.from({ length: count }, () => randomUUID())
    await sql`
    insert into auth_code
      (id, purpose, mailbox, domain, client, network, project, known, key_thumbprint, code, created_at, expires_at, tries)
    select id, 'login', '', '', '', '', '', false, '', '', 0, 0, 0 from unnest(${ids}::uuid[]) as id`.execute(kysely)
    const unsent = createUnsentRows(kysely, 'auth_code')
    const deletions = await kysely.transaction().execute(async (transaction) => {
      await sql`lock table auth_code in exclusive mode`.execute(transaction)
      const waiting = ids.map((id) => unsent.delete(id))
      await sql`select pg_sleep(${busyMs / 1_000})`.execute(transaction)
      // Wrapped: the transaction would wait for a promise that it returns.
      return { waiting }
    })
    expect(await Promise.allSettled(deletions.waiting)).toEqual(
      ids.map(() => ({ status: 'fulfilled', value: undefined })),
    )
    const { rows } = await sql`select count(*)::int as count from auth_code`.execute(kysely)
    expect(rows).toEqual([{ count: 0 }])
  },
)
