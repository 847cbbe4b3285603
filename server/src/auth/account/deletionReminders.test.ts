import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Mail } from '../../custody/mail/mailer.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createUsers, type Users } from '../login/users.ts'
import { createDeletionReminders, type DeletionReminders } from './deletionReminders.ts'
import { createDeletions, type Deletions } from './deletions.ts'

const day = 86_400_000
const start = Date.UTC(2026, 10, 22)
const source = { browser: 'Firefox on Linux', place: 'DE/Berlin', at: start, locale: 'de' }

let place: TestPostgres
let database: Database
let users: Users
let deletions: Deletions
let reminders: DeletionReminders
let user = ''
let now = start
let sent: Mail[] = []
let isMailDown = false

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  const keyEncryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption })
  const given = { database: database.kysely, clock: { now: () => now }, secrets }
  users = createUsers(given)
  deletions = createDeletions({ ...given, auditLog: { record: async () => undefined } })
  const mailer = {
    async send(mail: Mail) {
      if (isMailDown) throw new Error('The mail server is down.')
      sent.push(mail)
    },
    close: async () => undefined,
  }
  reminders = createDeletionReminders({ ...given, users, mailer, cancelPage: () => 'https://auth.example/kept' })
})

beforeEach(async () => {
  ;[now, sent, isMailDown] = [start, [], false]
  await sql`truncate auth_user cascade`.execute(database.kysely)
  user = (await users.findOrCreateByMailbox(Buffer.from('ann'), 'ann@example.org')).id
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const linkIn = (text = ''): { id: string; secret: string } => {
  const { searchParams } = new URL(/https:\S+/.exec(text)?.[0] ?? expect.fail('no link'))
  return { id: searchParams.get('id') ?? '', secret: searchParams.get('secret') ?? '' }
}

test('a deletion without a proof is announced a second time, once, three days before it happens [A-08]', async () => {
  await deletions.schedule(user, { isProven: false, source })
  now += 27 * day - 1
  await reminders.sweep()
  expect(sent).toEqual([])
  now += 1
  await Promise.all([reminders.sweep(), reminders.sweep()])
  await reminders.sweep()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ to: 'ann@example.org', subject: 'Erinnerung: Deine Wallet wird bald gelöscht' })
  for (const fact of ['Firefox', 'Berlin', '22. November 2026', '22. Dezember 2026'])
    expect(sent[0]?.text).toContain(fact)
})

test('both links keep the wallet, and a foreign one does not [A-08]', async () => {
  const first = await deletions.schedule(user, { isProven: false, source })
  now += 28 * day
  await reminders.sweep()
  const second = linkIn(sent[0]?.text)
  expect(second.secret).not.toBe(first.secret)
  expect(await deletions.canCancel({ id: user, secret: first.secret })).toBe(true)
  expect(await deletions.canCancel({ id: user, secret: randomBytes(32).toString('base64url') })).toBe(false)
  expect(await deletions.cancelByLink(second)).toBe(true)
  now += 3 * day
  await deletions.sweep()
  expect(await users.exists(user)).toBe(true)
})

test('a notice that the mail server refuses is sent with the next sweep', async () => {
  await deletions.schedule(user, { isProven: false, source })
  now += 28 * day
  isMailDown = true
  await reminders.sweep()
  isMailDown = false
  await reminders.sweep()
  expect(sent).toHaveLength(1)
})

test('a deletion with a proof, a cancelled one and one that is over are not announced again', async () => {
  await deletions.schedule(user, { isProven: true, source })
  now += 2 * day
  await reminders.sweep()
  await deletions.cancel(user)
  await deletions.schedule(user, { isProven: false, source })
  await deletions.cancelUnproven(user)
  now += 28 * day
  await reminders.sweep()
  await deletions.schedule(user, { isProven: false, source })
  now += 30 * day
  await reminders.sweep()
  expect(sent).toEqual([])
})
