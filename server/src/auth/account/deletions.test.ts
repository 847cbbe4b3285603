import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { createSecrets, type Secrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createUsers, type Users } from '../login/users.ts'
import { createDeletions, type Deletions } from './deletions.ts'

const day = 86_400_000

let place: TestPostgres
let database: Database
let secrets: Secrets
let users: Users
let deletions: Deletions
let [ann, ben] = ['', '']
let now = 0
let events: string[] = []

beforeAll(async () => {
  place = await createTestDatabase('auth')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  const keyEncryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption })
  const given = { database: database.kysely, clock: { now: () => now }, secrets }
  users = createUsers(given)
  const record = async (event: string, { user }: { user?: string }) => void events.push(`${event} ${user}`)
  deletions = createDeletions({ ...given, auditLog: { record } })
})
beforeEach(async () => {
  ;[now, events] = [Date.UTC(2026, 10, 22), []]
  for (const table of ['auth_user', 'auth_session', 'auth_data_key']) {
    await sql`delete from ${sql.table(table)}`.execute(database.kysely)
  }
  ann = (await users.findOrCreateByMailbox(Buffer.from('ann'), 'ann@example.org')).id
  ben = (await users.findOrCreateByMailbox(Buffer.from('ben'), 'ben@example.org')).id
})
afterAll(async () => {
  await database.close()
  await place.close()
})

describe('a deletion', () => {
  test('waits for three days with a proof, and for thirty without one [A-08]', async () => {
    expect(await deletions.scheduledAt(ann)).toBeUndefined()
    expect((await deletions.schedule(ann, { isProven: true })).at).toBe(now + 3 * day)
    expect((await deletions.schedule(ben, { isProven: false })).at).toBe(now + 30 * day)
    expect([await deletions.scheduledAt(ann), await deletions.scheduledAt(ben)]).toEqual([
      now + 3 * day,
      now + 30 * day,
    ])
    expect(events).toEqual([`deletion requested ${ann}`, `deletion requested ${ben}`])
  })

  test('that is requested again happens no later, and its earlier link is void', async () => {
    const first = await deletions.schedule(ann, { isProven: true })
    now += day
    const second = await deletions.schedule(ann, { isProven: true })
    expect(second.at).toBe(first.at)
    expect(await deletions.canCancel({ id: ann, secret: first.secret })).toBe(false)
    expect(await deletions.canCancel({ id: ann, secret: second.secret })).toBe(true)
    now -= 2 * day
    expect((await deletions.schedule(ann, { isProven: true })).at).toBe(first.at - day)
  })

  test('with a proof stays proven when it is requested without one', async () => {
    await deletions.schedule(ann, { isProven: true })
    await deletions.schedule(ann, { isProven: false })
    await deletions.cancelUnproven(ann)
    expect(await deletions.scheduledAt(ann)).toBe(now + 3 * day)
  })

  test('is cancelled once by its user, and recorded then', async () => {
    await deletions.schedule(ann, { isProven: true })
    await deletions.schedule(ben, { isProven: true })
    events = []
    for (let count = 0; count < 2; count += 1) await deletions.cancel(ann)
    expect([await deletions.scheduledAt(ann), await deletions.scheduledAt(ben)]).toEqual([undefined, now + 3 * day])
    expect(events).toEqual([`deletion cancelled ${ann}`])
  })

  test('without a proof is cancelled by the use of the wallet [A-08]', async () => {
    await deletions.schedule(ann, { isProven: false })
    await deletions.cancelUnproven(ann)
    expect(await deletions.scheduledAt(ann)).toBeUndefined()
  })

  test('that is due can no longer be cancelled', async () => {
    const { at, secret } = await deletions.schedule(ann, { isProven: false })
    const link = { id: ann, secret }
    now = at
    await deletions.cancel(ann)
    await deletions.cancelUnproven(ann)
    expect(await deletions.canCancel(link)).toBe(false)
    expect(await deletions.cancelByLink(link)).toBe(false)
    expect(await deletions.scheduledAt(ann)).toBe(at)
  })
})

describe('the link of a deletion', () => {
  test('cancels it once, with its secret only', async () => {
    const { secret } = await deletions.schedule(ann, { isProven: true })
    const { secret: other } = await deletions.schedule(ben, { isProven: true })
    for (const wrong of [
      { id: ann, secret: other },
      { id: ann, secret: '' },
      { id: randomUUID(), secret },
      { id: 'x', secret },
    ]) {
      expect(await deletions.canCancel(wrong)).toBe(false)
      expect(await deletions.cancelByLink(wrong)).toBe(false)
    }
    expect(await deletions.scheduledAt(ann)).toBeDefined()
    expect(await deletions.cancelByLink({ id: ann, secret })).toBe(true)
    expect(await deletions.cancelByLink({ id: ann, secret })).toBe(false)
    expect([await deletions.scheduledAt(ann), await deletions.scheduledAt(ben)]).toEqual([undefined, now + 3 * day])
    expect(events.slice(2)).toEqual([`deletion cancelled ${ann}`])
  })

  test('is not stored, and the source of the request is', async () => {
    const source = { browser: 'Firefox on Linux', place: 'DE/Berlin', at: now, locale: 'de' }
    const { secret } = await deletions.schedule(ann, { isProven: true, source })
    await deletions.schedule(ben, { isProven: true })
    const { rows } = await sql<{ row: string; request: string | null }>`
      select auth_deletion::text as row, request from auth_deletion order by user_id = ${ben}`.execute(database.kysely)
    expect(rows.map(({ request }) => request)).toEqual([JSON.stringify(source), null])
    for (const text of [secret, Buffer.from(secret).toString('hex')]) expect(rows[0]?.row).not.toContain(text)
  })
})

test('a sweep deletes the users that are due with their keys, sessions and rows, and no others [K-13]', async () => {
  const seal = (user: string) => secrets.seal({ table: 'auth_share', row: user, owner: user }, randomBytes(8))
  const share = await seal(ann)
  for (const user of [ann, ben]) {
    await sql`insert into auth_session (id, user_id, key_thumbprint, methods, begun_at)
      values (${randomUUID()}, ${user}, 'laptop', '{email}', ${now})`.execute(database.kysely)
  }
  const { at } = await deletions.schedule(ann, { isProven: true })
  await deletions.schedule(ben, { isProven: false })
  events = []
  now = at - 1
  await deletions.sweep()
  expect(await users.exists(ann)).toBe(true)
  now = at
  await deletions.sweep()
  expect(events).toEqual([`deleted ${ann}`])
  expect([await users.find(ann), await users.exists(ben)]).toEqual([undefined, true])
  await expect(secrets.open({ table: 'auth_share', row: ann, owner: ann }, share)).rejects.toThrow('destroyed')
  const { rows } = await sql`select user_id from auth_session`.execute(database.kysely)
  expect(rows).toEqual([{ user_id: ben }])
  expect(await deletions.scheduledAt(ann)).toBeUndefined()
})
