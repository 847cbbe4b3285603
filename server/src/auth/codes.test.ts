import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database.ts'
import { migrate } from '../kit/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { createCodes, type CodeRequest, type Codes } from './codes.ts'
import type { Mail, Mailer } from './mailer.ts'
import { authMigrations } from './migrations.ts'

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

/** The service as one that was just started. */
const started = (): Codes => createCodes({ database: database.kysely, clock: { now: () => now }, mailer, pepper })

const request: CodeRequest = {
  email: 'ann@example.org',
  purpose: 'login',
  key: 'frame-one',
  project: 'p',
  client: '192.0.2.1',
  asker: { origin: 'https://app.example', browser: 'Firefox on Linux' },
}
const answer = { email: 'Ann@example.org', purpose: 'login', key: 'frame-one' } as const
const codeIn = (mail: Mail | undefined): string => /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? expect.fail('no code')
const wrong = (code: string): string => code.replace(/.$/, (last) => String((Number(last) + 1) % 10))
const refused = expect.objectContaining({ status: 401, field: 'code' })
const tooMany = (seconds: number) =>
  expect.objectContaining({ status: 429, message: `Please try again after ${seconds} seconds`, retryAfter: seconds })

describe('a code by mail', () => {
  test('opens what it was sent for, once', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    await expect(codes.redeem({ id, code, ...answer })).resolves.toHaveProperty('mailbox')
    await expect(codes.redeem({ id, code, ...answer })).rejects.toEqual(refused)
  })

  test('says who asked for it, and has no link to press', async () => {
    await started().send(request)
    expect(sent[0]?.text).toContain('https://app.example')
    expect(sent[0]?.text).toContain('Firefox on Linux')
    expect(sent[0]?.text.match(/https?:/g)).toHaveLength(1)
  })

  test('is tried three times at most, however many try at once [A-01]', async () => {
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

  test('is redeemed by exactly one of two hundred who have it at the same moment [A-04]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => codes.redeem({ id, code, ...answer })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is void as soon as a newer one is sent [A-03]', async () => {
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
  ])('after %s ms is good: %s [A-03]', async (later, isGood) => {
    const codes = started()
    const { id } = await codes.send(request)
    now += later
    const [outcome] = await Promise.allSettled([codes.redeem({ id, code: codeIn(sent[0]), ...answer })])
    expect(outcome.status === 'fulfilled').toBe(isGood)
  })

  test('does not become good again when the clock is set back [A-03]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    now += 10 * 60_000 + 1
    await expect(codes.redeem({ id, code: '000000', ...answer })).rejects.toEqual(refused)
    now -= 60 * 60_000
    await expect(codes.redeem({ id, code: codeIn(sent[0]), ...answer })).rejects.toEqual(refused)
  })

  test('of another frame or mailbox, or sent for something else, is refused and costs its owner no try [A-06]', async () => {
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

  test('leaves nothing in the database that tells mailbox or code', async () => {
    await started().send(request)
    const { rows } = await sql<{ row: string }>`select auth_code::text as row from auth_code`.execute(database.kysely)
    const row = rows[0]?.row ?? ''
    for (const secret of ['ann', 'example.org', codeIn(sent[0])]) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('who asks for codes', () => {
  test('waits thirty seconds between two, and is told how long, by a server that was started anew too [R5.3.6] [R8.2.10] [A-02]', async () => {
    await started().send(request)
    now += 12_000
    await expect(started().send(request)).rejects.toEqual(tooMany(18))
    now += 18_000
    await expect(started().send(request)).resolves.toBeDefined()
  })

  test('waits as long as the operator says [R9.1.1]', async () => {
    const limits = { pause: 1_000 }
    const codes = createCodes({ database: database.kysely, clock: { now: () => now }, mailer, pepper, limits })
    await codes.send(request)
    now += 999
    await expect(codes.send(request)).rejects.toEqual(tooMany(1))
    now += 1
    await expect(codes.send(request)).resolves.toBeDefined()
  })

  test('gets five an hour and ten a day for one mailbox [A-02]', async () => {
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

  test('gets twenty an hour from one machine, for whatever mailboxes', async () => {
    const codes = started()
    for (let count = 0; count < 20; count++) await codes.send({ ...request, email: `ann${count}@example.org` })
    await expect(codes.send({ ...request, email: 'ben@example.net' })).rejects.toMatchObject({ status: 429 })
    await expect(codes.send({ ...request, email: 'ben@example.net', client: '192.0.2.2' })).resolves.toBeDefined()
  })

  test('gets one of ten codes that are asked for at the same moment', async () => {
    const codes = started()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => codes.send(request)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(sent).toHaveLength(1)
  })

  test('loses no attempt, and waits for nothing, when the mail could not be sent [A-18]', async () => {
    const codes = started()
    mailFails = true
    await expect(codes.send(request)).rejects.toEqual(expect.objectContaining({ status: 503, field: 'mail' }))
    mailFails = false
    await expect(codes.send(request)).resolves.toBeDefined()
  })

  test('keeps the code that he has when the mail with another one could not be sent [A-18]', async () => {
    const codes = started()
    const { id } = await codes.send(request)
    now += 30_000
    mailFails = true
    await expect(codes.send(request)).rejects.toMatchObject({ status: 503 })
    await expect(codes.redeem({ id, code: codeIn(sent[0]), ...answer })).resolves.toBeDefined()
  })

  test('for something that is no address is told so, and nothing is sent', async () => {
    await expect(started().send({ ...request, email: 'ann@example.org\r\nBcc: eve@example.org' })).rejects.toEqual(
      expect.objectContaining({ status: 400, field: 'email' }),
    )
    expect(sent).toEqual([])
  })
})
