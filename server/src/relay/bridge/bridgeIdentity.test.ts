import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { verifyClientToken } from '../connections/clientToken.ts'
import { createBridgeIdentity, loadBridgeIdentity } from './bridgeIdentity.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'

let postgres: TestPostgres
let database: Database

beforeAll(async () => {
  postgres = await createTestDatabase()
  database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
})

afterAll(async () => {
  await database.close()
  await postgres.close()
})

test('the bridge identity is the same for all processes on one database, including concurrent starts', async () => {
  const identities = await Promise.all(Array.from({ length: 5 }, () => loadBridgeIdentity(database.kysely)))
  expect(new Set(identities.map(({ clientId }) => clientId)).size).toBe(1)
})

test('tokens signed by the bridge are accepted by the relay for its own address only', async () => {
  const now = 1_800_000_000_000
  const { clientId, token } = createBridgeIdentity(new Uint8Array(32).fill(7))
  const verdict = (audience: string) =>
    verifyClientToken(token('wss://upstream.example/relay', now), { now, audiences: [audience] })
  expect(await verdict('wss://upstream.example/relay')).toEqual({ ok: true, clientId })
  expect(await verdict('wss://other.example/relay')).toMatchObject({ ok: false })
})
