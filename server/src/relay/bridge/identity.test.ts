import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database.ts'
import { migrate } from '../../kit/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { verifyClientToken } from '../auth.ts'
import { createIdentity, readIdentity } from './identity.ts'
import { bridgeMigrations } from './migrations.ts'

let postgres: TestPostgres
let database: Database

beforeAll(async () => {
  postgres = await createTestDatabase()
  database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, bridgeMigrations)
}, 60_000)

afterAll(async () => {
  await database.close()
  await postgres.close()
})

test('is the same for all processes on one database, also when they start at once', async () => {
  const identities = await Promise.all(Array.from({ length: 5 }, () => readIdentity(database.kysely)))
  expect(new Set(identities.map(({ clientId }) => clientId)).size).toBe(1)
})

test('signs tokens that a relay believes, for its address only', () => {
  const now = 1_800_000_000_000
  const { clientId, token } = createIdentity(new Uint8Array(32).fill(7))
  const verdict = (audience: string) =>
    verifyClientToken(token('wss://upstream.example/relay', now), { now, audiences: [audience] })
  expect(verdict('wss://upstream.example/relay')).toEqual({ ok: true, clientId })
  expect(verdict('wss://other.example/relay').ok).toBe(false)
})
