import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { authMigrations } from '../schema/authMigrations.ts'
import { shareMigrations } from '../schema/shareMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { deleteOldRows, sweepRows } from './sweepRows.ts'

let place: TestPostgres
let database: Database
beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  await migrate(database.kysely, shareMigrations, 'shares')
})
afterAll(async () => {
  await database.close()
  await place.close()
})

test('old rows are deleted in batches, and newer ones stay [A-26]', async () => {
  await sql`
    insert into auth_mail_turn (mailbox, network, turn_at)
    select int4send(n), int4send(n), n from generate_series(1, 2500) as n`.execute(database.kysely)
  const { numAffectedRows } = await deleteOldRows({ table: 'auth_mail_turn', column: 'turn_at', upTo: 2_400 }).execute(
    database.kysely,
  )
  expect(numAffectedRows).toBe(1_000n)
  await sweepRows(database.kysely, { table: 'auth_mail_turn', column: 'turn_at', upTo: 2_400 })
  const { rows } = await sql`select min(turn_at) as oldest, count(*) as rows from auth_mail_turn`.execute(
    database.kysely,
  )
  expect(rows).toEqual([{ oldest: 2_401, rows: 100 }])
})

test.each([
  ['auth_code', 'created_at'],
  ['auth_farcaster_login', 'expires_at'],
  ['auth_mail_turn', 'turn_at'],
  ['auth_refresh', 'expires_at'],
  ['auth_session', 'ended_at'],
  ['auth_session', 'begun_at'],
  ['share_device_request', 'created_at'],
  ['share_farcaster_login', 'expires_at'],
  ['share_link', 'created_at'],
  ['share_mail_turn', 'turn_at'],
  ['share_policy_request', 'expires_at'],
])('the sweep of %s finds its rows by an index on %s [A-26]', async (table, column) => {
  const plan = await database.kysely.transaction().execute(async (transaction) => {
    // Without rows, the planner would prefer to read the whole table.
    await sql`set local enable_seqscan = off`.execute(transaction)
    return sql<Record<'QUERY PLAN', string>>`explain ${deleteOldRows({ table, column, upTo: 1 })}`.execute(transaction)
  })
  const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(lines).toMatch(/Index (Only )?Scan|Bitmap Index Scan/)
  expect(lines).toContain(`${column} <=`)
  expect(lines).not.toContain('Seq Scan')
})

test.each([
  ['mailbox', 'auth_code_by_mailbox'],
  ['client', 'auth_code_by_client'],
  ['domain', 'auth_code_by_domain'],
  ['project', 'auth_code_by_project'],
])('the limit of codes by %s counts with the index %s [A-25]', async (column, index) => {
  const plan = await database.kysely.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    const value = column === 'project' ? sql`'p'` : sql`int4send(1)`
    return sql<Record<'QUERY PLAN', string>>`
      explain select created_at from auth_code where ${sql.ref(column)} = ${value} and known = false and created_at > 1
      order by created_at desc limit 1 offset 4`.execute(transaction)
  })
  const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(lines).toContain(index)
  expect(lines).not.toContain('Sort')
})
