import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import type { NewRelayMessage } from './mailbox.ts'
import { createPostgresMailbox } from './postgresMailbox.ts'

const clock = { now: () => 1_800_000_000_000 }
const limits = { messages: 100, bytes: 1_000_000, bytesPerPublisher: 1_000_000 }

let place: TestPostgres
let database: Database

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const newMessage = (message: string): NewRelayMessage => ({
  topic: 'a'.repeat(64),
  message,
  ttl: 300,
  tag: 1108,
  attestation: '',
  origin: '',
  publisher: 'dapp',
})

test('two thousand clients that reconnect at once take eighty queries, two at a time [R-15]', async () => {
  let queries = 0
  let concurrent = 0
  let most = 0
  const catchUpDatabase: Database = {
    ...database,
    async run(name, text, values) {
      queries += 1
      concurrent += 1
      most = Math.max(most, concurrent)
      const rows = await database.run(name, text, values)
      concurrent -= 1
      return rows as never
    },
  }
  const mailbox = createPostgresMailbox({ database, catchUpDatabase, clock, limits })
  await mailbox.store(newMessage('waits'))
  const clients = Array.from({ length: 2_000 }, (_, index) => `wallet ${index}`)
  const pages = await Promise.all(clients.map((client) => mailbox.listUndelivered('a'.repeat(64), client, 0)))
  expect(pages.every(({ messages }) => messages.length === 1)).toBe(true)
  expect(queries).toBe(80)
  expect(most).toBe(2)
})

test('messages are stored while no client can catch up [R-15]', async () => {
  const catchUpDatabase: Database = { ...database, run: () => new Promise(() => undefined) }
  const mailbox = createPostgresMailbox({ database, catchUpDatabase, clock, limits })
  for (let client = 0; client < 1_000; client += 1) void mailbox.listUndelivered('a'.repeat(64), `${client}`, 0)
  const stored = await Promise.all(['1', '2', '3'].map((message) => mailbox.store(newMessage(message))))
  expect(stored.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored'])
})
