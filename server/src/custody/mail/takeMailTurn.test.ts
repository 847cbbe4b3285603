import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { takeMailTurn } from './takeMailTurn.ts'

const minute = 60_000
const slot = 10 * minute
const mailbox = createHash('sha256').update('ann@example.org').digest()
const attackers = Array.from({ length: 50 }, (_, index) => `attacker ${index}`)

let place: TestPostgres
let database: Database
let now = 0

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
})
beforeEach(async () => {
  await sql`truncate auth_mail_turn`.execute(database.kysely)
  now = Date.UTC(2026, 10, 22)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const ask = (name: string): Promise<number> =>
  takeMailTurn(database.kysely, 'auth_mail_turn', {
    mailbox,
    network: createHash('sha256').update(name).digest(),
    now,
  })

/** Lets time pass while all networks of the attacker ask for their turns. */
async function attackFor(slots: number): Promise<void> {
  for (let passed = 0; passed < slots; passed += 1) {
    for (const attacker of attackers) await ask(attacker)
    now += slot
  }
}

describe('fifty networks that keep the queue of a mailbox full [A-25]', () => {
  test('don’t take the place of the owner, who arrives last', async () => {
    for (const attacker of attackers) await ask(attacker)
    expect(await ask('owner')).toBe(51 * slot)
    await attackFor(50)
    expect(await ask('owner')).toBe(slot)
    await attackFor(1)
    expect(await ask('owner')).toBe(0)
  })

  test('delay the owner by two turns at most once each of them got a mail', { tags: 'abuse' }, async () => {
    await attackFor(120)
    const wait = await ask('owner')
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(2 * slot)
    now += wait
    expect(await ask('owner')).toBe(0)
  })

  test('get one mail in ten minutes altogether', { tags: 'abuse' }, async () => {
    let mails = 0
    for (let passed = 0; passed < 100; passed += 1) {
      for (const attacker of attackers) if ((await ask(attacker)) === 0) mails += 1
      now += slot
    }
    expect(mails).toBeLessThanOrEqual(100)
  })
})
