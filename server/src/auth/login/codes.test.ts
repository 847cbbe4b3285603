import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createKeyedHash } from '../../custody/keyedHash.ts'
import { createCodes, type CodeRequest, type Codes } from './codes.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import type { Mail, Mailer } from '../../custody/mail/mailer.ts'
import { authMigrations } from '../../schema/authMigrations.ts'

let place: TestPostgres
let database: Database
let now = 0
let sent: Mail[] = []
let mailFails = false
const pepper = randomBytes(32)
/** The devices of `ann@example.org`. */
const [known, knownPhone] = ['known-frame', 'known-phone']
const devices = {
  isProvenDeviceOfMailbox: async (mailbox: Uint8Array, key: string) =>
    [known, knownPhone].includes(key) && hashMailbox('ann@example.org').equals(mailbox),
}
const hashMailbox = (address: string): Buffer => createKeyedHash(pepper)('mailbox', address)

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
})

beforeEach(async () => {
  await sql`truncate auth_code, auth_mail_turn`.execute(database.kysely)
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

/** Creates the service again, as after a restart. */
const createTestCodes = (): Codes =>
  createCodes({ database: database.kysely, clock: { now: () => now }, mailer, places: createPlaces(), pepper, devices })

const request: CodeRequest = {
  email: 'ann@example.org',
  purpose: 'login',
  key: 'frame-one',
  project: 'p',
  client: '192.0.2.1',
  requester: { origin: 'https://app.example', browser: 'Firefox on Linux', locale: 'en' },
}
const response = { email: 'Ann@example.org', purpose: 'login', key: 'frame-one' } as const
const codeIn = (mail: Mail | undefined): string => /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? expect.fail('no code')
const changeLastDigit = (code: string): string => code.replace(/.$/, (last) => String((Number(last) + 1) % 10))
const refused = expect.objectContaining({ status: 401, field: 'code' })
const matchTooMany = (seconds: number) =>
  expect.objectContaining({ status: 429, message: `Please try again after ${seconds} seconds`, retryAfter: seconds })

describe('a one-time code', () => {
  test('is redeemed once, for its purpose [C-02]', async () => {
    const codes = createTestCodes()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    await expect(codes.redeem({ id, code, ...response })).resolves.toHaveProperty('mailbox')
    await expect(codes.redeem({ id, code, ...response })).rejects.toEqual(refused)
  })

  test('comes in a mail that names the requester and has no link', async () => {
    await createTestCodes().send(request)
    expect(sent[0]?.text).toContain('https://app.example')
    expect(sent[0]?.text).toContain('Firefox on Linux')
    expect(sent[0]?.text.match(/https?:/g)).toHaveLength(1)
  })

  test('names the address that the login is about to move to, and only then [C-02]', async () => {
    const codes = createTestCodes()
    const newEmail = 'new@example.net'
    await codes.send({ ...request, purpose: 'update-primary', newEmail })
    now += 30_000
    await codes.send({ ...request, purpose: 'update-secondary', newEmail })
    expect(sent.map(({ text }) => text.includes(newEmail))).toEqual([true, false])
    expect(sent[0]?.subject).not.toBe(sent[1]?.subject)
  })

  test('accepts three tries at most, even concurrently [A-01]', async () => {
    const codes = createTestCodes()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    const tries = Array.from({ length: 100 }, () => codes.redeem({ id, code: changeLastDigit(code), ...response }))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    const { rows } = await sql<{ tries: number }>`select tries from auth_code`.execute(database.kysely)
    expect(rows).toEqual([{ tries: 3 }])
    await expect(codes.redeem({ id, code, ...response })).rejects.toEqual(refused)
  })

  test('is redeemed by exactly one of two hundred concurrent requests [A-04]', async () => {
    const codes = createTestCodes()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, () => codes.redeem({ id, code, ...response })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is void once a newer code is sent [A-03]', async () => {
    const codes = createTestCodes()
    const first = await codes.send(request)
    now += 30_000
    const second = await codes.send(request)
    await expect(codes.redeem({ ...first, code: codeIn(sent[0]), ...response })).rejects.toEqual(refused)
    await expect(codes.redeem({ ...second, code: codeIn(sent[1]), ...response })).resolves.toBeDefined()
  })

  test.each([
    [10 * 60_000 - 1_000, true],
    [10 * 60_000 + 1_000, false],
  ])('after %s ms is valid: %s [A-03]', async (later, isGood) => {
    const codes = createTestCodes()
    const { id } = await codes.send(request)
    now += later
    const [outcome] = await Promise.allSettled([codes.redeem({ id, code: codeIn(sent[0]), ...response })])
    expect(outcome.status === 'fulfilled').toBe(isGood)
  })

  test('does not become valid again when the clock is set back [A-03]', async () => {
    const codes = createTestCodes()
    const { id } = await codes.send(request)
    now += 10 * 60_000 + 1
    await expect(codes.redeem({ id, code: '000000', ...response })).rejects.toEqual(refused)
    now -= 60 * 60_000
    await expect(codes.redeem({ id, code: codeIn(sent[0]), ...response })).rejects.toEqual(refused)
  })

  test('for another frame, mailbox or purpose is rejected without counting a try [A-06]', async () => {
    const codes = createTestCodes()
    const { id } = await codes.send(request)
    const code = codeIn(sent[0])
    for (let time = 0; time < 5; time++) {
      await expect(codes.redeem({ id, code, ...response, key: 'frame-two' })).rejects.toEqual(refused)
      await expect(codes.redeem({ id, code, ...response, purpose: 'step-up-export' })).rejects.toEqual(refused)
      await expect(codes.redeem({ id, code, ...response, email: 'ben@example.org' })).rejects.toEqual(refused)
    }
    await expect(codes.redeem({ id, code, ...response })).resolves.toBeDefined()
  })

  test.each(['', 'x', "' or 1=1", '00000000-0000-0000-0000-000000000000'])(
    'is not found under the id %j',
    async (id) => {
      await expect(createTestCodes().redeem({ id, code: '000000', ...response })).rejects.toEqual(refused)
    },
  )

  test('leaves neither the mailbox nor the code in the database', async () => {
    await createTestCodes().send(request)
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
    await createTestCodes().send(request)
    now += 12_000
    await expect(createTestCodes().send(request)).rejects.toEqual(matchTooMany(18))
    now += 18_000
    await expect(createTestCodes().send(request)).resolves.toBeDefined()
  })

  test('use the interval that the operator configured [R9.1.1]', async () => {
    const limits = { intervalMs: 1_000 }
    const codes = createCodes({
      database: database.kysely,
      clock: { now: () => now },
      mailer,
      places: createPlaces(),
      pepper,
      devices,
      limits,
    })
    await codes.send(request)
    now += 999
    await expect(codes.send(request)).rejects.toEqual(matchTooMany(1))
    now += 1
    await expect(codes.send(request)).resolves.toBeDefined()
  })

  test.each([
    ['a stranger', request.key],
    ['a known device', known],
  ])('allow %s five an hour and ten a day per mailbox [A-02]', async (_, key) => {
    const codes = createTestCodes()
    const own = { ...request, key }
    for (let count = 0; count < 5; count++) {
      await codes.send(own)
      now += 60_000
    }
    await expect(codes.send(own)).rejects.toEqual(matchTooMany(55 * 60))
    now += 60 * 60_000
    for (let count = 0; count < 5; count++) {
      await codes.send({ ...own, email: 'ANN@example.org' })
      now += 60_000
    }
    now += 60 * 60_000
    await expect(codes.send(own)).rejects.toEqual(matchTooMany((24 * 60 - 130) * 60))
  })

  test('allow twenty an hour per client, for any mailboxes', async () => {
    const codes = createTestCodes()
    for (let count = 0; count < 20; count++) await codes.send({ ...request, email: `ann${count}@example.org` })
    await expect(codes.send({ ...request, email: 'ben@example.net' })).rejects.toMatchObject({ status: 429 })
    await expect(codes.send({ ...request, email: 'ben@example.net', client: '192.0.2.2' })).resolves.toBeDefined()
  })

  test('allow one of ten concurrent requests', async () => {
    const codes = createTestCodes()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => codes.send(request)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(sent).toHaveLength(1)
  })

  test('do not count a code that could not be sent [A-18]', async () => {
    const codes = createTestCodes()
    mailFails = true
    await expect(codes.send(request)).rejects.toEqual(expect.objectContaining({ status: 503, field: 'mail' }))
    mailFails = false
    await expect(codes.send(request)).resolves.toBeDefined()
  })

  test('leave the current code valid if the next one could not be sent [A-18]', async () => {
    const codes = createTestCodes()
    const { id } = await codes.send(request)
    now += 30_000
    mailFails = true
    await expect(codes.send(request)).rejects.toMatchObject({ status: 503 })
    await expect(codes.redeem({ id, code: codeIn(sent[0]), ...response })).resolves.toBeDefined()
  })

  test('reject an invalid address and send nothing', async () => {
    await expect(
      createTestCodes().send({ ...request, email: 'ann@example.org\r\nBcc: eve@example.org' }),
    ).rejects.toEqual(expect.objectContaining({ status: 400, field: 'email' }))
    expect(sent).toEqual([])
  })
})

/** A request from a network of its own. */
const createSource = (network: number): Pick<CodeRequest, 'client' | 'key'> => ({
  client: `198.${18 + (network >> 8)}.${network & 255}.1`,
  key: `frame-${network}`,
})

describe('an attacker who requests many codes for an address', () => {
  /** Uses up the free budget of a mailbox from five networks. */
  async function useUpBudget(codes: Codes, email = request.email): Promise<void> {
    for (let network = 0; network < 5; network++) {
      await codes.send({ ...request, email, ...createSource(network) })
      now += 30_000
    }
  }

  test('does not lock out the known device of its owner [A-25]', async () => {
    const codes = createTestCodes()
    await useUpBudget(codes)
    await expect(codes.send({ ...request, key: known })).resolves.toBeDefined()
    now += 30_000
    await expect(codes.send({ ...request, key: known })).resolves.toBeDefined()
  })

  test('does not lock out a known device by another one that uses up its budget [A-25]', async () => {
    const codes = createTestCodes()
    for (let count = 0; count < 5; count++) {
      await codes.send({ ...request, key: knownPhone })
      now += 30_000
    }
    await expect(codes.send({ ...request, key: knownPhone })).rejects.toMatchObject({ status: 429 })
    await expect(codes.send({ ...request, key: known })).resolves.toBeDefined()
  })

  test('does not lock out the known device by using up the limit of its network [A-25]', async () => {
    const codes = createTestCodes()
    for (let count = 0; count < 20; count++) await codes.send({ ...request, email: `eve${count}@example.org` })
    await expect(codes.send({ ...request, email: 'ben@example.org' })).rejects.toMatchObject({ status: 429 })
    await expect(codes.send({ ...request, key: known })).resolves.toBeDefined()
  })

  test.each([
    ['IPv4', (host: number) => `203.0.113.${host}`, '203.0.114.1'],
    ['IPv6', (host: number) => `2001:db8:1:${host.toString(16)}::1`, '2001:db8:2::1'],
  ])(
    'can’t use up the quota of a mail provider with 250 %s addresses of one network [A-25]',
    { tags: 'abuse' },
    async (_, at, elsewhere) => {
      const codes = createTestCodes()
      let sends = 0
      for (let count = 0; count < 750; count++) {
        const requested = {
          ...request,
          email: `eve${count}@example.org`,
          key: `frame-${count}`,
          client: at(1 + (count % 250)),
        }
        await codes.send(requested).then(
          () => sends++,
          () => undefined,
        )
      }
      expect(sends).toBe(100)
      const refusedHere = { ...request, email: 'ben@example.org', client: at(251) }
      await expect(codes.send(refusedHere)).rejects.toMatchObject({ status: 429 })
      // Neither the next network nor a known device in this one waits.
      await expect(codes.send({ ...refusedHere, client: elsewhere })).resolves.toBeDefined()
      await expect(codes.send({ ...request, key: known, client: at(251) })).resolves.toBeDefined()
      now += 60 * 60_000
      await expect(codes.send({ ...refusedHere, client: at(252) })).resolves.toBeDefined()
    },
  )

  test('does not get the budget of a known device by knowing another address [A-25]', async () => {
    const codes = createTestCodes()
    await useUpBudget(codes, 'ben@example.org')
    await expect(codes.send({ ...request, email: 'ben@example.org', key: known })).rejects.toMatchObject({
      status: 429,
    })
  })

  test('does not void the code that the owner is about to enter [A-25]', async () => {
    const codes = createTestCodes()
    const { id } = await codes.send({ ...request, key: known })
    await codes.send({ ...request, ...createSource(1) })
    await expect(codes.redeem({ id, code: codeIn(sent[0]), ...response, key: known })).resolves.toBeDefined()
  })

  test('delays a new device of the owner by ten minutes for each network, and not longer [A-25]', async () => {
    const codes = createTestCodes()
    await useUpBudget(codes)
    // One network gets one place, however often it asks and with however many frames.
    for (let count = 0; count < 50; count++) {
      const attacker = { ...request, ...createSource(6), key: `other-${count}` }
      await expect(codes.send(attacker)).rejects.toEqual(matchTooMany(600))
    }
    const owner = { ...request, ...createSource(7) }
    await expect(codes.send(owner)).rejects.toEqual(matchTooMany(1_200))
    for (let minute = 0; minute < 20; minute++) {
      now += 60_000
      if (minute === 12) await expect(codes.send({ ...request, ...createSource(6) })).resolves.toBeDefined()
      if (minute > 12)
        await expect(codes.send({ ...request, ...createSource(6) })).rejects.toMatchObject({ status: 429 })
    }
    await expect(codes.send(owner)).resolves.toBeDefined()
  })

  test('delays it no longer after using up the budget of the day [A-25]', async () => {
    const codes = createTestCodes()
    await useUpBudget(codes)
    now += 60 * 60_000
    await useUpBudget(codes)
    now += 60 * 60_000
    await expect(codes.send({ ...request, ...createSource(7) })).rejects.toEqual(matchTooMany(600))
  })

  test('gets one guess for each further code, and one place for each network at most [A-25] [A-01]', async () => {
    const codes = createTestCodes()
    await useUpBudget(codes)
    for (let network = 0; network < 100; network++) {
      const source = createSource(10 + (network % 50))
      await expect(codes.send({ ...request, ...source })).rejects.toMatchObject({ status: 429 })
    }
    const { rows } = await sql`select count(*) as places from auth_mail_turn`.execute(database.kysely)
    expect(rows).toEqual([{ places: 50 }])
    now += 10 * 60_000
    const { id } = await codes.send({ ...request, ...createSource(10) })
    const code = codeIn(sent.at(-1))
    const guess = { id, ...response, key: createSource(10).key }
    await expect(codes.redeem({ ...guess, code: changeLastDigit(code) })).rejects.toEqual(refused)
    await expect(codes.redeem({ ...guess, code })).rejects.toEqual(refused)
  })

  test('does not lock a mail provider: each address has its own queue [A-25]', async () => {
    await sql`
      insert into auth_code (id, purpose, mailbox, domain, client, project, known, key_thumbprint, code, created_at, expires_at)
      select gen_random_uuid(), 'login', int4send(n), ${createKeyedHash(pepper)('domain', 'example.org')}, int4send(n), 'p', false,
        'x', 'x', ${now}, ${now} from generate_series(1, 500) as n`.execute(database.kysely)
    const codes = createTestCodes()
    await expect(codes.send({ ...request, key: known })).resolves.toBeDefined()
    await expect(codes.send({ ...request, ...createSource(1) })).rejects.toEqual(matchTooMany(600))
    await expect(codes.send({ ...request, ...createSource(2), email: 'ben@example.org' })).rejects.toEqual(
      matchTooMany(600),
    )
    now += 10 * 60_000
    await expect(codes.send({ ...request, ...createSource(1) })).resolves.toBeDefined()
    await expect(codes.send({ ...request, ...createSource(2), email: 'ben@example.org' })).resolves.toBeDefined()
  })
})

describe('stored codes', () => {
  test('are deleted when no limit counts them any longer, and so are places in the queue [A-26]', async () => {
    const codes = createTestCodes()
    for (let network = 0; network < 6; network++) {
      await codes.send({ ...request, ...createSource(network) }).catch(() => undefined)
      now += 30_000
    }
    await codes.sweep()
    const count = async () =>
      (
        await sql`select (select count(*) from auth_code) as codes, (select count(*) from auth_mail_turn) as places`.execute(
          database.kysely,
        )
      ).rows
    expect(await count()).toEqual([{ codes: 5, places: 1 }])
    now += 25 * 60 * 60_000
    await codes.sweep()
    expect(await count()).toEqual([{ codes: 0, places: 0 }])
  })
})
