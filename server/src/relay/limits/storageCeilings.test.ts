import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createRelayIdentity } from '../relayIdentity.ts'
import { createPostgresStoredBytes, storedBytesStatements } from './postgresStoredBytes.ts'
import { createStorageCeilings, type StorageCeilings, type StorageLimits } from './storageCeilings.ts'

const large = 1_000_000_000
const none: StorageLimits = { bytesPerAddress: large, bytesPerNetwork: large, bytesPerProject: large, bytes: large }
const { hash } = createRelayIdentity(new Uint8Array(32))
const full = expect.objectContaining({ data: 'StorageLimitExceeded' })

let place: TestPostgres
let database: Database
let now: number
let faults: unknown[]

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, relayMigrations, 'relay')
})
afterAll(async () => {
  await database.close()
  await place.close()
})
beforeEach(async () => {
  await sql`truncate relay_stored_bytes`.execute(database.kysely)
  now = 1_800_000_000_000
  faults = []
})

const open = (limits: Partial<StorageLimits>): StorageCeilings =>
  createStorageCeilings({
    stored: createPostgresStoredBytes(database, hash),
    limits: { ...none, ...limits },
    clock: { now: () => now },
    onFault: (fault) => faults.push(fault),
  })

const createSource = (address: string, project = 'a') => ({ address, project })

test('the bytes of an address are limited, no matter which clients it has [R-17]', async () => {
  const ceilings = open({ bytesPerAddress: 3_000 })
  ceilings.reserve(createSource('192.0.2.1'), 1_000, 300)
  expect(() => ceilings.reserve(createSource('192.0.2.1', 'b'), 2_000, 300)).toThrow(full)
  ceilings.reserve(createSource('192.0.2.2'), 1_000, 300)
  ceilings.reserve(createSource('192.0.2.1'), 900, 300)
  await ceilings.close()
})

test('the bytes of an IPv6 /48 are limited over all of its /64 [R-17]', async () => {
  const ceilings = open({ bytesPerNetwork: 4_000 })
  ceilings.reserve(createSource('2001:db8:1:1::/64'), 1_000, 300)
  ceilings.reserve(createSource('2001:db8:1:2::/64'), 1_000, 300)
  expect(() => ceilings.reserve(createSource('2001:db8:1:3::/64'), 1_000, 300)).toThrow(full)
  ceilings.reserve(createSource('2001:db8:2:1::/64'), 1_000, 300)
  await ceilings.close()
})

test('the bytes of a project and of all projects are limited [R-17]', async () => {
  const ceilings = open({ bytesPerProject: 2_000, bytes: 5_000 })
  ceilings.reserve(createSource('192.0.2.1', 'a'), 1_000, 300)
  expect(() => ceilings.reserve(createSource('192.0.2.2', 'a'), 1_000, 300)).toThrow(full)
  ceilings.reserve(createSource('192.0.2.3', 'b'), 1_000, 300)
  ceilings.reserve(createSource('192.0.2.4', 'c'), 1_000, 300)
  expect(() => ceilings.reserve(createSource('192.0.2.5', 'd'), 1_000, 300)).toThrow(full)
  await ceilings.close()
})

test('bytes that were not stored are released', async () => {
  const ceilings = open({ bytesPerAddress: 2_000 })
  const release = ceilings.reserve(createSource('192.0.2.1'), 1_400, 300)
  expect(() => ceilings.reserve(createSource('192.0.2.1'), 1_400, 300)).toThrow(full)
  release()
  ceilings.reserve(createSource('192.0.2.1'), 1_400, 300)
  await ceilings.close()
})

test('bytes end with their TTL, and processes share them', async () => {
  const first = open({ bytesPerAddress: 3_000 })
  first.reserve(createSource('192.0.2.1'), 1_000, 300)
  first.reserve(createSource('192.0.2.1'), 900, 86_400)
  await first.close()
  const second = open({ bytesPerAddress: 3_000 })
  // Its first message makes the address known; the exchange then reads the sum of the other process.
  second.reserve(createSource('192.0.2.1'), 1, 300)
  await second.close()
  expect(() => second.reserve(createSource('192.0.2.1'), 1, 300)).toThrow(full)
  now += 700_000
  await second.close()
  second.reserve(createSource('192.0.2.1'), 900, 300)
  now += 2 * 86_400_000
  await second.close()
  const { rows } = await sql`select from relay_stored_bytes`.execute(database.kysely)
  expect(rows).toHaveLength(0)
  expect(faults).toEqual([])
})

test('no address is stored', async () => {
  const ceilings = open({})
  ceilings.reserve(createSource('192.0.2.1'), 1, 300)
  await ceilings.close()
  const { rows } = await sql<{ row: string }>`
    select convert_from(key, 'LATIN1') || scope as row from relay_stored_bytes`.execute(database.kysely)
  expect(rows.length).toBe(3)
  expect(rows.some(({ row }) => row.includes('192.0.2.1'))).toBe(false)
})

test.each<[string, string, readonly unknown[]]>([
  ['adding', storedBytesStatements.add, [['address'], [hash('a')], [1], [1]]],
  ['summing', storedBytesStatements.sum, [['address'], [hash('a')], 1]],
  ['deleting', storedBytesStatements.deleteEnded, [1]],
])('%s stored bytes does not read the table from beginning to end', { tags: 'faults' }, async (name, text, values) => {
  await sql`
    insert into relay_stored_bytes (scope, key, ends_at, bytes)
    select 'address', sha256(convert_to(row::text, 'UTF8')), 1000 + row, 1
    from generate_series(1, 50000) as row`.execute(database.kysely)
  await sql`analyze relay_stored_bytes`.execute(database.kysely)
  const plan = await database.run(`plan: ${name}`, `explain ${text}`, values)
  expect(JSON.stringify(plan)).toContain('relay_stored_bytes')
  expect(JSON.stringify(plan)).not.toContain('Seq Scan')
})

test('a stalled database gets one exchange at a time, and no backlog of them', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let exchanges = 0
  let settle = (_sums: readonly number[]): void => {}
  const sum = (): Promise<readonly number[]> => {
    exchanges += 1
    return new Promise((resolve) => (settle = resolve))
  }
  createStorageCeilings({
    stored: { add: async () => {}, sum, deleteEnded: async () => {} },
    limits: none,
    clock: { now: () => now },
    onFault: (fault) => faults.push(fault),
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(exchanges).toBe(1)
  settle([0])
  await vi.advanceTimersByTimeAsync(10)
  expect(exchanges).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(exchanges).toBe(2)
})
