import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxOpenDigits } from '../../custody/drawDigits.ts'
import type { Mailer } from '../../custody/mail/mailer.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createApprovalLinks } from './approvalLinks.ts'
import { createDeviceRequests } from './deviceRequests.ts'

let place: TestPostgres
let databases: readonly Database[]
const now = Date.UTC(2026, 10, 22)
const clock = { now: () => now }
const mailer: Mailer = { send: async () => {}, close: async () => {} }
const source = { browser: '', place: '' }

beforeAll(async () => {
  place = await createTestDatabase()
  // Two server processes on one database.
  const open = () => openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  databases = [await open(), await open()]
  for (const { kysely } of databases.slice(0, 1)) await migrate(kysely, shareMigrations, 'shares')
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await place.close()
})

const alternate = <value>(values: readonly value[], index: number): value =>
  values[index % values.length] ?? expect.fail('no process')

test('no two open links of a mailbox have the same digits, if two processes issue them at once [K-11] [A-07]', async () => {
  const pepper = randomBytes(32)
  const processes = databases.map(({ kysely: database }) =>
    createApprovalLinks({
      database,
      clock,
      mailer,
      places: createPlaces(),
      pepper,
      limits: { intervalMs: 0 },
      page: () => 'https://wallet.example/',
    }),
  )
  // Equal digits are a matter of chance: without the check, 150 mailboxes of five links miss them once in ten million runs.
  for (let mailbox = 0; mailbox < 150; mailbox += 1) {
    const sent = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        alternate(processes, index).send({
          email: `ann${mailbox}@example.org`,
          purpose: index % 2 === 0 ? 'device' : 'contact',
          key: `frame ${index}`,
          client: `10.${mailbox}.${index}.1`,
          origin: 'https://app.example',
          browser: '',
          locale: 'en',
        }),
      ),
    )
    expect(new Set(sent.map(({ match }) => match)).size).toBe(5)
  }
})

test('no two waiting devices of a user have the same digits, and their number is limited [K-11] [A-07]', async () => {
  const processes = databases.map(({ kysely: database }) => createDeviceRequests({ database, clock }))
  const request = (count: number) => alternate(processes, count).request({ user: 'ann', key: `phone ${count}` }, source)
  const waits = await Promise.all(Array.from({ length: maxOpenDigits }, (_, index) => request(index)))
  expect(new Set(waits.map((wait) => wait?.match)).size).toBe(maxOpenDigits)
  await expect(request(maxOpenDigits)).rejects.toMatchObject({ status: 429 })
  const other = alternate(processes, 0).request({ user: 'ben', key: 'phone' }, source)
  await expect(other).resolves.toMatchObject({ opensAt: now + 24 * 60 * 60_000 })
  // A repeated request keeps its digits.
  expect(await request(7)).toEqual(waits[7])
  const { rows } = await sql<{ id: string }>`
    select id from share_device_request where key_thumbprint = 'phone 0'`.execute(alternate(databases, 0).kysely)
  await alternate(processes, 1).stop('ann', rows[0]?.id ?? '')
  await expect(request(maxOpenDigits)).resolves.toBeDefined()
})
