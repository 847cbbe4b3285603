import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createCodes, type CodeRequest, type Codes } from './codes.ts'
import { createPlaces } from '../../custody/requests/places.ts'
import type { Mail, Mailer } from '../../custody/mail/mailer.ts'
import { authMigrations } from '../../schema/authMigrations.ts'

let place: TestPostgres
let database: Database
let now = 0
let sent: Mail[] = []
let mailFails = false
const pepper = randomBytes(32)

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
})

beforeEach(async () => {
  await sql`truncate auth_code`.execute(database.kysely)
  now = Date.UTC(2026, 10, 22)
  sent = []
  mailFails = false
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const mailer: Mailer = {
  async send(mail) {
    if (mailFails) throw new Error('451 try later')
    sent.push(mail)
  },
  close: async () => {},
}

/** Creates the service anew, as after a restart. */
const started = (): Codes =>
  createCodes({ database: database.kysely, clock: { now: () => now }, mailer, places: createPlaces(), pepper })

const request: CodeRequest = {
  email: 'ann@example.org',
  purpose: 'login',
  key: 'frame-one',
  project: 'p',
  client: '192.0.2.1',
  requester: { origin: 'https://app.example', browser: 'Firefox on Linux', locale: 'en' },
}
const answer = { email: 'Ann@example.org', purpose: 'login', key: 'frame-one' } as const
const codeIn = (mail: Mail | undefined): string => /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? expect.fail('no code')
const wrong = (code: string): string => code.replace(/.$/, (last) => String((Number(last) + 1) % 10))
const refused = expect.objectContaining({ status: 401, field: 'code' })
const tooMany = (seconds: number) =>
  expect.objectContaining({ status: 429, message: `Please try again after ${seconds} seconds`, retryAfter: seconds })

describe('a one-time code', () => {
  test('is redeemed once, for its purpose [C-02]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    await expect(codes.redeem({ id, code, ...answer })).resolves.toHaveProperty('mailbox')
    await expect(codes.redeem({ id, code, ...answer })).rejects.toEqual(refused)
  })

  test('comes in a mail that names the requester and has no link', async () => {
    await started().send(request)
    expect(sent[0]?.text).toContain('https://app.example')
    expect(sent[0]?.text).toContain('Firefox on Linux')
    expect(sent[0]?.text.match(/https?:/g)).toHaveLength(1)
  })

  test('accepts three tries at most, even concurrently [A-01]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    const tries = Array.from({ length: 100 }, () => codes.redeem({ id, code: wrong(code), ...answer }))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    const { rows } = await sql<{ tries: number }>`select tries from auth_code`.execute(database.kysely)
    expect(rows).toEqual([{ tries: 3 }])
    await expect(codes.redeem({ id, code, ...answer })).rejects.toEqual(refused)
  })

  test('is redeemed by exactly one of two hundred concurrent requests [A-04]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => codes.redeem({ id, code, ...answer })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is void once a newer code is sent [A-03]', async () => {
    const codes = started()
    const first = await codes.send(request)
    now += 30_000
    const second = await codes.send(request)
    await expect(codes.redeem({ ...first, code: codeIn(sent[0]), ...answer })).rejects.toEqual(refused)
    await expect(codes.redeem({ ...second, code: codeIn(sent[1]), ...answer })).resolves.toBeDefined()
  })

  test.each([
    [10 * 60_000 - 1_000, true],
    [10 * 60_000 + 1_000, false],
  ])('after %s ms is valid: %s [A-03]', async (later, isGood) => {
    const codes = started()
    const { id } = await codes.send(request)
    now += later
    const [outcome] = await Promise.allSettled([codes.redeem({ id, code: codeIn(sent[0]), ...answer })])
    expect(outcome.status === 'fulfilled').toBe(isGood)
  })

  test('does not become valid again when the clock is set back [A-03]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    now += 10 * 60_000 + 1
    await expect(codes.redeem({ id, code: '000000', ...answer })).rejects.toEqual(refused)
    now -= 60 * 60_000
    await expect(codes.redeem({ id, code: codeIn(sent[0]), ...answer })).rejects.toEqual(refused)
  })

  test('for another frame, mailbox or purpose is rejected without counting a try [A-06]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    for (let time = 0; time < 5; time++) {
      await expect(codes.redeem({ id, code, ...answer, key: 'frame-two' })).rejects.toEqual(refused)
      await expect(codes.redeem({ id, code, ...answer, purpose: 'step-up' })).rejects.toEqual(refused)
      await expect(codes.redeem({ id, code, ...answer, email: 'ben@example.org' })).rejects.toEqual(refused)
    }
    await expect(codes.redeem({ id, code, ...answer })).resolves.toBeDefined()
  })

  test.each(['', 'x', "' or 1=1", '00000000-0000-0000-0000-000000000000'])(
    'is not found under the id %j',
    async (id) => {
      await expect(started().redeem({ id, code: '000000', ...answer })).rejects.toEqual(refused)
    },
  )

  test('leaves neither the mailbox nor the code in the database', async () => {
    await started().send(request)
    const { rows } = await sql<{ row: string }>`select auth_code::text as row from auth_code`.execute(database.kysely)
    const row = rows[0]?.row ?? ''
    for (const secret of ['ann', 'example.org', codeIn(sent[0])]) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('the limits of one-time codes', () => {
  test('require thirty seconds between two codes and report the wait, even after a restart [R5.3.6] [R8.2.10] [A-02]', async () => {
    await started().send(request)
    now += 12_000
    await expect(started().send(request)).rejects.toEqual(tooMany(18))
    now += 18_000
    await expect(started().send(request)).resolves.toBeDefined()
  })

  test('use the interval that the operator configured [R9.1.1]', async () => {
    const limits = { intervalMs: 1_000 }
    const codes = createCodes({
      database: database.kysely,
      clock: { now: () => now },
      mailer,
      places: createPlaces(),
      pepper,
      limits,
    })
    await codes.send(request)
    now += 999
    await expect(codes.send(request)).rejects.toEqual(tooMany(1))
    now += 1
    await expect(codes.send(request)).resolves.toBeDefined()
  })

  test('allow five an hour and ten a day per mailbox [A-02]', async () => {
    const codes = started()
    for (let count = 0; count < 5; count++) {
      await codes.send(request)
      now += 60_000
    }
    await expect(codes.send(request)).rejects.toEqual(tooMany(55 * 60))
    now += 60 * 60_000
    for (let count = 0; count < 5; count++) {
      await codes.send({ ...request, email: 'ANN@example.org' })
      now += 60_000
    }
    now += 60 * 60_000
    await expect(codes.send(request)).rejects.toMatchObject({ status: 429 })
  })

  test('allow twenty an hour per client, for any mailboxes', async () => {
    const codes = started()
    for (let count = 0; count < 20; count++) await codes.send({ ...request, email: `ann${count}@example.org` })
    await expect(codes.send({ ...request, email: 'ben@example.net' })).rejects.toMatchObject({ status: 429 })
    await expect(codes.send({ ...request, email: 'ben@example.net', client: '192.0.2.2' })).resolves.toBeDefined()
  })

  test('allow one of ten concurrent requests', async () => {
    const codes = started()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => codes.send(request)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(sent).toHaveLength(1)
  })

  test('do not count a code that could not be sent [A-18]', async () => {
    const codes = started()
    mailFails = true
    await expect(codes.send(request)).rejects.toEqual(expect.objectContaining({ status: 503, field: 'mail' }))
    mailFails = false
    await expect(codes.send(request)).resolves.toBeDefined()
  })

  test('leave the current code valid if the next one could not be sent [A-18]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    now += 30_000
    mailFails = true
    await expect(codes.send(request)).rejects.toMatchObject({ status: 503 })
    await expect(codes.redeem({ id, code: codeIn(sent[0]), ...answer })).resolves.toBeDefined()
  })

  test('reject an invalid address and send nothing', async () => {
    await expect(started().send({ ...request, email: 'ann@example.org\r\nBcc: eve@example.org' })).rejects.toEqual(
      expect.objectContaining({ status: 400, field: 'email' }),
    )
    expect(sent).toEqual([])
  })
})
