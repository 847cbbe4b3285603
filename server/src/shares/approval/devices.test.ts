import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createDeviceRequests } from './deviceRequests.ts'
import { createDevices, type Devices } from './devices.ts'

const hour = 60 * 60_000
const day = 24 * hour
const begin = Date.UTC(2026, 10, 22)
const [ann, ben] = [randomUUID(), randomUUID()]

let place: TestPostgres
let database: Database
let devices: Devices
let now = begin

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, shareMigrations, 'shares')
  devices = createDevices({ database: database.kysely, clock: { now: () => now } })
})

beforeEach(async () => {
  await sql`truncate share_device, share_link`.execute(database.kysely)
  now = begin
  await devices.record(ann, 'laptop', { isFounder: true })
  await devices.record(ann, 'phone', { isFounder: false })
})

afterAll(async () => {
  await database.close()
  await place.close()
})

/** A link that approved a device at a time, or waits. */
async function addLink(key: string, approvedAt: number | null): Promise<void> {
  const bytes = randomBytes(32)
  await sql`
    insert into share_link
      (id, secret, match, mailbox, client, key_thumbprint, origin, browser, place, created_at, expires_at, approved_at)
    values (${randomUUID()}, ${bytes}, '42', ${bytes}, ${bytes}, ${key}, '', '', '', ${now}, ${now}, ${approvedAt})`.execute(
    database.kysely,
  )
}

test('the founding device is established at once, and another one after exactly a day [A-08]', async () => {
  expect(await devices.isEstablishedDevice(ann, 'laptop')).toBe(true)
  now = begin + day - 1
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(false)
  now = begin + day
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(true)
  expect(await devices.isEstablishedDevice(ben, 'laptop')).toBe(false)
  expect(await devices.isEstablishedDevice(ben, 'phone')).toBe(false)
})

test('enrolling again makes a device neither older nor the founder [A-08]', async () => {
  now = begin + day / 2
  await devices.record(ann, 'phone', { isFounder: true })
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(false)
  now = begin + day
  expect(await devices.isEstablishedDevice(ann, 'phone')).toBe(true)
})

test('a use counts for the device of its user only [K-08]', async () => {
  expect(await devices.recordUse(ann, 'phone')).toBe(true)
  expect(await devices.recordUse(ben, 'phone')).toBe(false)
  expect(await devices.recordUse(ann, 'tablet')).toBe(false)
})

test('a device that was unused for ninety days is forgotten, and others stay [K-08]', async () => {
  now = begin + hour
  await devices.recordUse(ann, 'phone')
  now = begin + 90 * day + hour
  await devices.sweep()
  expect(await devices.recordUse(ann, 'laptop')).toBe(false)
  expect(await devices.recordUse(ann, 'phone')).toBe(true)
})

test('a device that is revoked after its wait is not admitted again by the same request [K-08]', async () => {
  const requests = createDeviceRequests({ database: database.kysely, clock: { now: () => now } })
  const phone = { user: 'ann', key: 'waiting phone' }
  await requests.request(phone, { browser: '', place: '' })
  now += day
  expect(await requests.getState(phone)).toBe('approved')
  await devices.record(phone.user, phone.key, { isFounder: false })
  await devices.revoke(phone.user, phone.key)
  expect(await requests.getState(phone)).toBe('stopped')
  await expect(requests.request(phone, { browser: '', place: '' })).rejects.toMatchObject({ status: 403 })
  now += 3 * day
  expect(await requests.request(phone, { browser: '', place: '' })).toMatchObject({ opensAt: now + day })
})

test('a revoked device is unknown, and the links that approved it no longer approve anything [K-08]', async () => {
  await devices.record(ben, 'phone', { isFounder: true })
  await addLink('phone', now)
  await addLink('laptop', now)
  await addLink('phone', null)
  await devices.revoke(ann, 'phone')
  expect(await devices.recordUse(ann, 'phone')).toBe(false)
  expect(await devices.recordUse(ann, 'laptop')).toBe(true)
  expect(await devices.recordUse(ben, 'phone')).toBe(true)
  const { rows } = await sql<{ key: string; at: number | null }>`
    select key_thumbprint as key, approved_at as at from share_link order by key, at`.execute(database.kysely)
  expect(rows).toEqual([
    { key: 'laptop', at: now },
    { key: 'phone', at: 0 },
    { key: 'phone', at: null },
  ])
})
