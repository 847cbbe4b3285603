import { randomBytes, randomUUID } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Mail } from '../../custody/mail/mailer.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createPendingPolicies, type PendingPolicies } from './pendingPolicies.ts'

const now = Date.UTC(2026, 10, 30)
const request = new IncomingMessage(new Socket())
request.headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0', 'x-forwarded-for': '192.168.0.7' }

let place: TestPostgres
let database: Database
let policies: PendingPolicies
let [ann, ben] = ['', '']
let email: string | undefined
let mails: Mail[] = []
let isMailDown = false
let events: unknown[] = []

beforeAll(async () => {
  place = await createTestDatabase('auth')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  policies = createPendingPolicies({
    database: database.kysely,
    clock: { now: () => now },
    trustedProxies: 1,
    places: createPlaces(),
    users: { find: async (id) => (id === ann ? { id, email } : undefined) },
    mailer: {
      async send(mail) {
        if (isMailDown) throw new Error('The mail server is down.')
        mails.push(mail)
      },
      close: async () => undefined,
    },
    auditLog: { record: async (event, { raw, ...facts }) => void events.push([event, raw === request, facts]) },
    page: () => 'https://auth.example/policy/kept',
  })
})
beforeEach(async () => {
  ;[mails, isMailDown, events, email] = [[], false, [], 'ann@example.org']
  ;[ann, ben] = [randomUUID(), randomUUID()]
  await sql`delete from auth_user`.execute(database.kysely)
  await sql`insert into auth_user (id, created_at) values (${ann}, 0), (${ben}, 0)`.execute(database.kysely)
  for (const user of [ann, ben]) {
    for (const kind of ['policy', 'pending']) {
      await sql`insert into auth_policy (user_id, kind, counter, verifier, sealed, signature, stored_at)
        values (${user}, ${kind}, 1, ${randomBytes(32)}, ${randomBytes(8)}, ${randomBytes(64)}, ${now})`.execute(
        database.kysely,
      )
    }
  }
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const listRecords = async () => {
  const { rows } = await sql<{ user: string; kind: string }>`
    select user_id as user, kind from auth_policy order by user_id = ${ben}, kind`.execute(database.kysely)
  return rows.map(({ user, kind }) => `${user === ann ? 'ann' : 'ben'} ${kind}`)
}
const linkIn = (mail: Mail | undefined): { id: string; secret: string } => {
  const { searchParams } = new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? expect.fail('no link'))
  return { id: searchParams.get('id') ?? '', secret: searchParams.get('secret') ?? '' }
}
const all = ['ann pending', 'ann policy', 'ben pending', 'ben policy']

test('a looser policy is announced with its source and the time when it takes effect', async () => {
  await policies.notify(ann, request)
  expect(mails.map(({ to }) => to)).toEqual(['ann@example.org'])
  for (const fact of ['Firefox on Linux', 'local network', 'November 30, 2026', 'December 1, 2026']) {
    expect(mails[0]?.text).toContain(fact)
  }
  expect(linkIn(mails[0]).id).toBe(ann)
  expect(events).toEqual([['policy changed', true, { user: ann, about: 'requested' }]])
})

test('the link stops the change of its user, once, and nothing else', async () => {
  await policies.notify(ann, request)
  const link = linkIn(mails[0])
  for (const wrong of [
    { ...link, secret: 'x' },
    { ...link, id: ben },
    { ...link, id: 'x' },
  ]) {
    expect([await policies.canStop(wrong), await policies.stop(wrong)]).toEqual([false, false])
  }
  expect(await listRecords()).toEqual(all)
  expect(await policies.canStop(link)).toBe(true)
  expect(await policies.stop(link)).toBe(true)
  expect(await listRecords()).toEqual(all.slice(1))
  expect(events.slice(1)).toEqual([['policy changed', false, { user: ann, about: 'stopped' }]])
  expect([await policies.canStop(link), await policies.stop(link)]).toEqual([false, false])
  expect(events).toHaveLength(2)
})

test('concurrent uses of the link stop the change once', async () => {
  await policies.notify(ann, request)
  const results = await Promise.all([1, 2, 3].map(() => policies.stop(linkIn(mails[0]))))
  expect(results.filter(Boolean)).toHaveLength(1)
})

test('a change of which the owner cannot be notified is deleted', async () => {
  isMailDown = true
  await expect(policies.notify(ann, request)).rejects.toEqual(expect.objectContaining({ status: 503, field: 'mail' }))
  expect([await listRecords(), events]).toEqual([all.slice(1), []])
})

test('an owner without an address sees the change on the account page only', async () => {
  email = undefined
  await policies.notify(ann, request)
  await policies.notify(ben, request)
  expect([mails, await listRecords(), events.length]).toEqual([[], all, 2])
})

test('the secret of the link is not stored, and a later announcement voids it', async () => {
  await policies.notify(ann, request)
  await policies.notify(ann, request)
  const [first, second] = mails.map(linkIn)
  expect(await policies.canStop(first ?? expect.fail('no mail'))).toBe(false)
  expect(await policies.canStop(second ?? expect.fail('no mail'))).toBe(true)
  const { rows } = await sql<{ row: string }>`select auth_policy::text as row from auth_policy`.execute(database.kysely)
  expect(rows.map(({ row }) => row).join()).not.toContain(Buffer.from(second?.secret ?? '').toString('hex'))
})
