import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/index.ts'
import { onrampMigrations } from '../../schema/onrampMigrations.ts'
import { createSandboxStore, type SandboxStore } from './sandboxStore.ts'

let postgres: TestPostgres
let database: Database
let store: SandboxStore

beforeAll(async () => {
  postgres = await createTestDatabase()
  database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, onrampMigrations, 'onramp')
  store = createSandboxStore(database)
})
afterAll(async () => {
  await database.close()
  await postgres.close()
})

async function add(id: string, createdAt = 0): Promise<void> {
  const asset = { chain: 'eip155:31337', token: '', symbol: 'ETH', decimals: 18, receiver: '0x' }
  await store.add({ id, page: `page of ${id}`, ...asset, currency: 'USD', cents: 10_000n, rate: '2500', createdAt })
}

const createSignedTransaction = (nonce: number, raw = 'raw'): { nonce: number; raw: string; hash: string } => ({
  nonce,
  raw,
  hash: raw,
})

test('payment succeeds once, even after a stale read', async () => {
  await add('once')
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => store.step('once', 'open', 'paid', { units: 39_200_000_000_000_000n })),
  )
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await store.sign('once', createSignedTransaction(7))).toBe(true)
  expect(await store.step('once', 'open', 'paid')).toBe(false)
  expect(await store.byId('once')).toMatchObject({ status: 'sent', units: 39_200_000_000_000_000n, cents: 10_000n })
})

test('purchase is signed once, with a unique nonce', async () => {
  await add('first')
  await add('second')
  for (const id of ['first', 'second']) await store.step(id, 'open', 'paid')
  expect(await store.sign('first', createSignedTransaction(8))).toBe(true)
  expect(await store.sign('first', createSignedTransaction(9, 'another'))).toBe(false)
  expect(await store.sign('second', createSignedTransaction(8))).toBe(false)
  expect(await store.nextNonce('eip155:31337')).toBe(9)
  expect(await store.sign('second', createSignedTransaction(9))).toBe(true)
  expect(await store.byId('first')).toMatchObject({ raw: 'raw', nonce: 8 })
})

test('pending purchases are found again, and unpaid ones are deleted', async () => {
  await add('old', 1)
  await add('paid long ago', 1)
  await store.step('paid long ago', 'open', 'paid')
  await store.forget(2)
  expect(await store.byId('old')).toBeUndefined()
  expect(await store.owed()).toContain('paid long ago')
})
