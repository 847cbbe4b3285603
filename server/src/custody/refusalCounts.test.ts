import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { authMigrations } from '../schema/authMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { createAuditLog, type AuditEvent } from './auditLog.ts'

const hourMs = 60 * 60_000
let place: TestPostgres
let database: Database
let now = Date.UTC(2026, 10, 22)

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
})
beforeEach(async () => {
  await sql`truncate auth_refusal`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const createTestLog = () =>
  createAuditLog({
    database: database.kysely,
    clock: { now: () => now },
    table: 'auth_audit',
    refusalTable: 'auth_refusal',
    trustedProxies: 1,
  })

function createRequest(address: string): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.headers['x-forwarded-for'] = address
  return request
}

async function listRows() {
  const counted = await sql<{ event: string; subject: string; attempts: number; latest_key: string }>`
    select event, subject, attempts, latest_key from auth_refusal order by hour, event, subject`.execute(
    database.kysely,
  )
  const logged = await sql`select from auth_audit`.execute(database.kysely)
  return { counted: counted.rows, logged: logged.rows.length }
}

test(
  '100,000 refused attempts with as many keys from one network leave one row for each event and hour [A-27]',
  { tags: 'abuse' },
  async () => {
    const auditLog = createTestLog()
    const before = (await listRows()).logged
    for (let hour = 0; hour < 2; hour++) {
      for (const event of ['code refused', 'token refused'] satisfies AuditEvent[]) {
        await Promise.all(
          Array.from({ length: 25_000 }, (_, count) =>
            auditLog.record(event, { key: `key-${hour}-${count}`, raw: createRequest(`203.0.113.${count % 250}`) }),
          ),
        )
      }
      now += hourMs
    }
    const { counted, logged } = await listRows()
    expect(counted.map(({ event, subject, attempts }) => [event, subject, attempts])).toEqual([
      ['code refused', '203.0.113.0/24', 25_000],
      ['token refused', '203.0.113.0/24', 25_000],
      ['code refused', '203.0.113.0/24', 25_000],
      ['token refused', '203.0.113.0/24', 25_000],
    ])
    expect(counted[0]?.latest_key).toBe('key-0-24999')
    expect(logged).toBe(before)
  },
)

test('attempts of several processes add up, and those of a user count for the user [A-27]', async () => {
  const processes = [createTestLog(), createTestLog()]
  for (let count = 0; count < 20; count++) {
    await Promise.all(
      processes.map((each) =>
        each.record('passkey refused', { user: 'ann', key: 'k', raw: createRequest(`10.0.${count}.1`) }),
      ),
    )
  }
  expect((await listRows()).counted).toEqual([
    { event: 'passkey refused', subject: 'ann', attempts: 40, latest_key: 'k' },
  ])
})

test('counts of refused attempts are deleted after ninety days [A-27]', async () => {
  await createTestLog().record('code refused', { key: 'k', raw: createRequest('203.0.113.1') })
  now += 89 * 24 * hourMs
  await createTestLog().sweep()
  expect((await listRows()).counted).toHaveLength(1)
  now += 2 * 24 * hourMs
  await createTestLog().sweep()
  expect((await listRows()).counted).toEqual([])
})
