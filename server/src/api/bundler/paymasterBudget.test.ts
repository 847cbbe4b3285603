import { sql } from 'kysely'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { apiMigrations } from '../../schema/apiMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createPaymasterBudget } from './paymasterBudget.ts'

let postgres: TestPostgres
let database: Database
let now = 1_750_000_000_000

beforeAll(async () => {
  postgres = await createTestDatabase()
  database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, apiMigrations, 'api')
})
afterAll(async () => {
  await database.close()
  await postgres.close()
})

const budgets = { user: '10', project: '25' }
const createBudget = () => createPaymasterBudget({ database, clock: { now: () => now } })
const costOf = (project: string, sender: string, cost: bigint, chain = 'eip155:1') => ({ chain, project, sender, cost })

test('a user can’t exceed the budget of a day, even with another spelling of the address [I-22]', async () => {
  const { reserve } = createBudget()
  expect(await reserve(costOf('one', '0xAB', 6n), budgets)).toBe(true)
  expect(await reserve(costOf('one', '0xab', 5n), budgets)).toBe(false)
  expect(await reserve(costOf('one', '0xab', 4n), budgets)).toBe(true)
  expect(await reserve(costOf('one', '0xab', 1n), budgets)).toBe(false)
  expect(await reserve(costOf('one', '0xab', 10n, 'eip155:2'), budgets)).toBe(true)
  now += 86_400_000
  expect(await reserve(costOf('one', '0xab', 10n), budgets)).toBe(true)
})

test('many users of a project can’t exceed its budget together [I-22]', async () => {
  const { reserve } = createBudget()
  const all = Array.from({ length: 10 }, (_, at) => reserve(costOf('two', `0x${at}`, 9n), budgets))
  expect((await Promise.all(all)).filter(Boolean)).toHaveLength(2)
  expect(await reserve(costOf('three', '0x1', 9n), budgets)).toBe(true)
})

test('a refused reservation leaves the budget of the project unchanged [I-22]', async () => {
  const { reserve } = createBudget()
  expect(await reserve(costOf('four', '0x1', 11n), budgets)).toBe(false)
  expect(await reserve(costOf('four', '0x1', 10n), budgets)).toBe(true)
  expect(await reserve(costOf('four', '0x2', 10n), budgets)).toBe(true)
})

test('two processes share the budgets [I-22]', async () => {
  const [one, other] = [createBudget(), createBudget()]
  expect(await one.reserve(costOf('five', '0x1', 8n), budgets)).toBe(true)
  expect(await other.reserve(costOf('five', '0x1', 8n), budgets)).toBe(false)
})

test('past days are deleted by the index, so the table stays bounded [I-22]', async () => {
  now += 86_400_000
  await createBudget().reserve(costOf('six', '0x1', 1n), budgets)
  const { rows } = await sql<{ count: string }>`select count(*) as count from paymaster_spending`.execute(
    database.kysely,
  )
  expect(Number(rows[0]?.count)).toBe(2)
  await sql`
    insert into paymaster_spending (day, chain, scope, spent)
    select 30000 + at / 100, 'eip155:1', 'user ' || at, 1 from generate_series(1, 20000) as at`.execute(database.kysely)
  await sql`analyze paymaster_spending`.execute(database.kysely)
  const plan = await sql<Record<string, string>>`explain delete from paymaster_spending where day < 30001`.execute(
    database.kysely,
  )
  expect(JSON.stringify(plan.rows)).toContain('paymaster_spending_pkey')
})
