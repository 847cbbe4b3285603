import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mail, Mailer } from '../../custody/mail/mailer.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { devicePage } from './devicePage.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import { loadServerWords } from '../../messages/loadServerWords.ts'
import { createApprovalLinks, type ApprovalLinks } from './approvalLinks.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'

let place: TestPostgres
let database: Database
let links: ApprovalLinks
let now = 0
let sent: Mail[] = []
let mailFails = false

const places = createPlaces()
const mailer: Mailer = {
  async send(mail) {
    if (mailFails) throw new Error('451 try later')
    sent.push(mail)
  },
  close: async () => {},
}

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, shareMigrations, 'shares')
})

beforeEach(async () => {
  await sql`truncate share_link, share_mail_turn`.execute(database.kysely)
  now = Date.UTC(2026, 10, 22)
  sent = []
  mailFails = false
  const page = () => 'https://wallet.example/shares/v1/device'
  const clock = { now: () => now }
  links = createApprovalLinks({ database: database.kysely, clock, mailer, places, pepper: randomBytes(32), page })
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const request = {
  email: 'ann@example.org',
  key: 'laptop',
  client: '192.0.2.1',
  origin: 'https://app.example',
  browser: 'Firefox on Linux',
  locale: 'en',
} as const

/** Parses the link of the mail. */
function linkIn(mail: Mail | undefined): { id: string; secret: string } {
  const { searchParams } = new URL(/https:\/\/wallet\S+/.exec(mail?.text ?? '')?.[0] ?? expect.fail('no link'))
  return { id: searchParams.get('id') ?? '', secret: searchParams.get('secret') ?? '' }
}
const getOtherMatch = (match: string): string => (match === '42' ? '43' : '42')

describe('a new device', () => {
  test('is approved with the mailed link and the confirmation digits', async () => {
    const { id, match } = await links.send(request)
    const link = linkIn(sent[0])
    expect(await links.getState(id, 'laptop')).toBe('waiting')
    expect(await links.findApproval('laptop')).toBeUndefined()
    expect(await links.approve({ ...link, match })).toBe(true)
    expect(await links.getState(id, 'laptop')).toBe('approved')
    expect(await links.findApproval('laptop')).toBeInstanceOf(Buffer)
  })

  test('is not approved by opening the link, as mail scanners do [A-07]', async () => {
    const { id } = await links.send(request)
    for (let time = 0; time < 10; time++) {
      expect(await links.findRequest(linkIn(sent[0]))).toEqual({
        purpose: 'device',
        origin: request.origin,
        browser: request.browser,
        place: 'local',
        at: now,
      })
    }
    expect(await links.getState(id, 'laptop')).toBe('waiting')
  })

  test('is not approved without its confirmation digits, and three wrong tries end the request [A-07]', async () => {
    const { id, match } = await links.send(request)
    const link = linkIn(sent[0])
    for (let time = 0; time < 3; time++)
      expect(await links.approve({ ...link, match: getOtherMatch(match) })).toBe(false)
    expect(await links.approve({ ...link, match })).toBe(false)
    expect(await links.getState(id, 'laptop')).toBe('over')
  })

  test('accepts three guesses at most, even concurrently [A-07]', async () => {
    const { match } = await links.send(request)
    const link = linkIn(sent[0])
    const guesses = Array.from({ length: 30 }, () => links.approve({ ...link, match: getOtherMatch(match) }))
    expect(await Promise.all(guesses)).not.toContain(true)
    const { rows } = await sql<{ tries: number }>`select tries from share_link`.execute(database.kysely)
    expect(rows).toEqual([{ tries: 3 }])
  })

  test('is not approved by a guessed link, a used link, or after fifteen minutes', async () => {
    const { id, match } = await links.send(request)
    const link = linkIn(sent[0])
    expect(await links.approve({ ...link, secret: randomBytes(32).toString('base64url'), match })).toBe(false)
    expect(await links.approve({ ...link, match })).toBe(true)
    expect(await links.approve({ ...link, match })).toBe(false)
    now += 15 * 60_000
    expect(await links.getState(id, 'laptop')).toBe('over')
    expect(await links.findApproval('laptop')).toBeUndefined()
    const second = await links.send(request)
    now += 15 * 60_000
    expect(await links.approve({ ...linkIn(sent[1]), match: second.match })).toBe(false)
  })

  test('reveals its state to no other device', async () => {
    const { id, match } = await links.send(request)
    await links.approve({ ...linkIn(sent[0]), match })
    expect(await links.getState(id, 'phone')).toBe('over')
    expect(await links.findApproval('phone')).toBeUndefined()
  })

  test('is limited to one request in thirty seconds and five an hour, and unsent mails do not count', async () => {
    await links.send(request)
    await expect(links.send(request)).rejects.toMatchObject({ status: 429, retryAfter: 30 })
    for (let count = 1; count < 5; count++) {
      now += 30_000
      await links.send(request)
    }
    now += 30_000
    await expect(links.send(request)).rejects.toMatchObject({ status: 429 })
    mailFails = true
    const ben = { ...request, email: 'ben@example.org' }
    await expect(links.send(ben)).rejects.toMatchObject({ status: 503 })
    mailFails = false
    await expect(links.send(ben)).resolves.toBeDefined()
  })

  test("is limited by the operator's settings, per mailbox and per client", async () => {
    const parts = { database: database.kysely, clock: { now: () => now }, mailer, places, pepper: randomBytes(32) }
    const own = createApprovalLinks({
      ...parts,
      page: () => 'https://wallet.example/',
      limits: { intervalMs: 1_000, perClientPerHour: 2 },
    })
    await own.send(request)
    now += 999
    await expect(own.send(request)).rejects.toMatchObject({ status: 429, retryAfter: 1 })
    now += 1
    await own.send(request)
    const ben = { ...request, email: 'ben@example.org' }
    await expect(own.send(ben)).rejects.toMatchObject({ status: 429 })
    await expect(own.send({ ...ben, client: '192.0.2.2' })).resolves.toBeDefined()
  })

  test('is limited per network, over all of its addresses and mailboxes', async () => {
    const own = createApprovalLinks({
      database: database.kysely,
      clock: { now: () => now },
      mailer,
      places,
      pepper: randomBytes(32),
      page: () => 'https://wallet.example/',
      limits: { intervalMs: 1_000, perClientPerHour: 1 },
    })
    const from = (client: string, name: string) => ({ ...request, email: `${name}@example.org`, client })
    for (let host = 1; host <= 5; host++) await own.send(from(`192.0.2.${host}`, `user-${host}`))
    const refused = { status: 429, retryAfter: 3_600 }
    await expect(own.send(from('192.0.2.6', 'user-6'))).rejects.toMatchObject(refused)
    await expect(own.send(from('192.0.3.6', 'user-6'))).resolves.toBeDefined()
    now += 3_600_000
    await expect(own.send(from('192.0.2.6', 'user-7'))).resolves.toBeDefined()
  })

  test('is refused for an hour after five of one client, and is not queued', async () => {
    for (let count = 0; count < 5; count++) {
      await links.send(request)
      now += 30_000
    }
    await expect(links.send(request)).rejects.toMatchObject({ status: 429, retryAfter: 3_600 })
  })

  test('of the owner waits in a queue when others have used up the budget of the mailbox [A-25]', async () => {
    const from = (network: number) => ({ ...request, key: `frame-${network}`, client: `198.18.${network}.1` })
    for (let network = 0; network < 5; network++) {
      await links.send(from(network))
      now += 30_000
    }
    for (let count = 0; count < 20; count++) {
      await expect(links.send(from(6))).rejects.toMatchObject({ status: 429, retryAfter: 600 })
    }
    await expect(links.send(from(7))).rejects.toMatchObject({ status: 429, retryAfter: 1_200 })
    now += 20 * 60_000
    await expect(links.send(from(7))).resolves.toBeDefined()
  })

  test('leaves no link in the database once no limit counts it and no approval needs it [A-26]', async () => {
    const { id, match } = await links.send(request)
    await links.approve({ ...linkIn(sent[0]), match })
    now += 15 * 60_000 - 1
    await links.sweep()
    expect(await links.getState(id, 'laptop')).toBe('approved')
    expect(await links.findApproval('laptop')).toBeInstanceOf(Buffer)
    now += 46 * 60_000
    await links.sweep()
    const { rows } = await sql`select from share_link`.execute(database.kysely)
    expect(rows).toEqual([])
  })

  test("leaves neither the address nor the link's secret in the database", async () => {
    await links.send(request)
    const { rows } = await sql<{ row: string }>`select share_link::text as row from share_link`.execute(database.kysely)
    const row = rows[0]?.row ?? ''
    for (const secret of ['ann@example.org', linkIn(sent[0]).secret]) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('the page of the link', () => {
  test("escapes the request's details and has no script", async () => {
    const request = { purpose: 'device', origin: '"><script>alert(1)</script>', browser: '<b>', at: 0 } as const
    const html = devicePage(await loadServerWords('en'), { request, id: '"', secret: '<' })
    expect(html).not.toMatch(/<script|<b>|value="""|value="<"/)
    expect(html).toContain('&lt;script&gt;')
  })
})
