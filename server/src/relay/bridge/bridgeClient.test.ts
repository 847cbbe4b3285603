import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import type { Mailbox, NewRelayMessage } from '../mailbox/mailbox.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createPostgresMailbox } from '../mailbox/postgresMailbox.ts'

const carrier = 'did:key:bridge'

let postgres: TestPostgres
let database: Database
let now = 1_800_000_000_000
let mailbox: Mailbox

beforeAll(async () => {
  postgres = await createTestDatabase()
  database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
})

afterAll(async () => {
  await database.close()
  await postgres.close()
})

beforeEach(() => {
  now += 86_400_000
  const limits = { messages: 10, bytes: 1_000, bytesPerPublisher: 1_000 }
  mailbox = createPostgresMailbox({ database, clock: { now: () => now }, limits, bridgeClientId: carrier })
})

const newMessage = (topic: number, publisher: string): NewRelayMessage => ({
  topic: String(topic).padStart(64, '0'),
  message: 'x'.repeat(400),
  ttl: 300,
  tag: 1108,
  attestation: '',
  origin: '',
  publisher,
})

test('the bridge client can store more messages than a single publisher', async () => {
  const store = async (publisher: string, topics: readonly number[]): Promise<readonly string[]> => {
    const stored = await Promise.all(topics.map((topic) => mailbox.store(newMessage(topic, publisher))))
    return stored.map(({ outcome }) => outcome)
  }
  expect(await store('did:key:dapp', [1, 2, 3])).toEqual(['stored', 'stored', 'full'])
  expect(await store(carrier, [4, 5, 6])).toEqual(['stored', 'stored', 'stored'])
})

test('an acknowledgement of the bridge client does not count as delivery to local subscribers', async () => {
  const { last: before } = await mailbox.findUnacknowledgedTopics()
  const stored = [
    await mailbox.store(newMessage(1, 'did:key:dapp')),
    await mailbox.store(newMessage(2, 'did:key:dapp')),
  ]
  const [carried, received] = stored.flatMap((one) => (one.outcome === 'stored' ? [one.message] : []))
  if (carried === undefined || received === undefined) throw new Error('expected two stored messages')
  await Promise.all([mailbox.acknowledge(carried, carrier), mailbox.acknowledge(received, 'did:key:wallet')])
  now += 3_000
  expect((await mailbox.findUnacknowledgedTopics(before)).topics).toEqual([newMessage(1, '').topic])
})
