import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createContacts, type Contacts } from './contacts.ts'

const day = 24 * 60 * 60_000
const begin = Date.UTC(2026, 10, 22)
const [ann, ben] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const [old, next, third] = [Buffer.from('old'), Buffer.from('next'), Buffer.from('third')]
const secret = 'the secret of the stop link'
const refused = expect.objectContaining({ status: 409, field: 'contact' })

let place: TestPostgres
let database: Database
let contacts: Contacts
let now = begin

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, shareMigrations, 'shares')
  contacts = createContacts({ database: database.kysely, clock: { now: () => now } })
})

beforeEach(async () => {
  await sql`truncate share_contact`.execute(database.kysely)
  now = begin
})

afterAll(async () => {
  await database.close()
  await place.close()
})

describe('the contact of a user', () => {
  test('is the first one, and no other one is accepted or pinned later [K-11]', async () => {
    expect(await contacts.acceptOrPin(ann, old)).toBe(true)
    expect(await contacts.acceptOrPin(ann, next)).toBe(false)
    expect(await contacts.acceptOrPin(ann, old)).toBe(true)
    expect(await contacts.acceptOrPin(ben, next)).toBe(true)
  })

  test('can’t be changed without one, or in the name of another contact [C-04]', async () => {
    await expect(contacts.change(ann, { from: old, to: next, secret })).rejects.toEqual(refused)
    await contacts.acceptOrPin(ann, old)
    expect(await contacts.canChange(ann, next)).toBe(false)
    await expect(contacts.change(ann, { from: next, to: third, secret })).rejects.toEqual(refused)
    expect(await contacts.canChange(ann, old)).toBe(true)
    expect(await contacts.canChange(ben, old)).toBe(false)
  })
})

describe('a change of contact', () => {
  beforeEach(async () => {
    await contacts.acceptOrPin(ann, old)
    await contacts.acceptOrPin(ben, old)
    await contacts.change(ann, { from: old, to: next, secret })
  })

  test('is accepted from exactly a day on [C-04]', async () => {
    now = begin + day - 1
    expect(await contacts.acceptOrPin(ann, next)).toBe(false)
    now = begin + day
    expect(await contacts.acceptOrPin(ann, next)).toBe(true)
    expect(await contacts.acceptOrPin(ann, third)).toBe(false)
    expect(await contacts.acceptOrPin(ben, next)).toBe(false)
  })

  test('is cancelled by an approval of the previous contact for three days, and not longer [C-04]', async () => {
    now = begin + 3 * day - 1
    expect(await contacts.acceptOrPin(ann, old)).toBe(true)
    expect(await contacts.acceptOrPin(ann, next)).toBe(false)
    await contacts.change(ann, { from: old, to: next, secret })
    now += 3 * day
    expect(await contacts.acceptOrPin(ann, old)).toBe(false)
    expect(await contacts.acceptOrPin(ann, next)).toBe(true)
  })

  test('is not replaced while its notice has an effect [C-04]', async () => {
    now = begin + 3 * day - 1
    for (const from of [old, next]) {
      expect(await contacts.canChange(ann, from)).toBe(false)
      await expect(contacts.change(ann, { from, to: third, secret })).rejects.toEqual(refused)
    }
    now += 1
    expect(await contacts.canChange(ann, old)).toBe(false)
    await expect(contacts.change(ann, { from: old, to: third, secret })).rejects.toEqual(refused)
    expect(await contacts.change(ann, { from: next, to: third, secret: 'another' })).toBe(now + day)
    expect(await contacts.canStop({ id: ann, secret })).toBe(false)
    expect(await contacts.acceptOrPin(ann, next)).toBe(true)
  })

  test('is stopped by its own link for three days, and others are refused for a day [C-04]', async () => {
    now = begin + 3 * day - 1
    for (const link of [
      { id: ann, secret: 'wrong' },
      { id: ben, secret },
    ]) {
      expect(await contacts.canStop(link)).toBe(false)
      expect(await contacts.stop(link)).toBe(false)
    }
    expect(await contacts.canStop({ id: ann, secret })).toBe(true)
    expect(await contacts.stop({ id: ann, secret })).toBe(true)
    expect(await contacts.stop({ id: ann, secret })).toBe(false)
    expect(await contacts.acceptOrPin(ann, next)).toBe(false)
    const stopped = now
    now = stopped + day - 1
    expect(await contacts.canChange(ann, old)).toBe(false)
    await expect(contacts.change(ann, { from: old, to: next, secret })).rejects.toEqual(refused)
    now = stopped + day
    expect(await contacts.canChange(ann, old)).toBe(true)
  })

  test('can’t be stopped after three days [C-04]', async () => {
    now = begin + 3 * day
    expect(await contacts.canStop({ id: ann, secret })).toBe(false)
    expect(await contacts.stop({ id: ann, secret })).toBe(false)
    expect(await contacts.acceptOrPin(ann, next)).toBe(true)
  })

  test('that is cancelled can’t be stopped by the contact or its link, and another one can follow', async () => {
    await contacts.cancel(ann)
    expect(await contacts.canStop({ id: ann, secret })).toBe(false)
    now = begin + day
    expect(await contacts.acceptOrPin(ann, next)).toBe(false)
    expect(await contacts.acceptOrPin(ann, old)).toBe(true)
    expect(await contacts.canChange(ann, old)).toBe(true)
  })
})
