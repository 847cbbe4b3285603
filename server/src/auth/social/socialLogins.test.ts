import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createSecrets, toKeyEncryptionProvider } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createSocialLogins, type SocialLogins } from './socialLogins.ts'

const minute = 60_000
const keyEncryption = toKeyEncryptionProvider([{ id: 'auth', key: randomBytes(32) }])
const account = { provider: 'github', subject: '1', userName: 'Ann' } as const
const next = { uri: 'https://provider.example/authorize?state=2', always: true }
const [ownNetwork, otherNetwork] = ['198.51.100.7', '203.0.113.7']
const request = {
  provider: 'github',
  browser: 'Firefox on Linux',
  place: 'DE/Berlin',
  client: ownNetwork,
  key: 'frame',
  origin: 'https://app.example',
  nonce: 'the-nonce-of-the-frame',
  next,
} as const
const expired = expect.objectContaining({ status: 404, field: 'id' })

let place: TestPostgres
let database: Database
let logins: SocialLogins
let now = 0

beforeAll(async () => {
  place = await createTestDatabase('auth')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
})

beforeEach(async () => {
  now = Date.UTC(2026, 10, 30)
  await sql`delete from auth_social`.execute(database.kysely)
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption })
  logins = createSocialLogins({
    database: database.kysely,
    clock: { now: () => now },
    secrets,
    pepper: randomBytes(32),
  })
})

afterAll(async () => {
  await database.close()
  await place.close()
})

/** Begins a login whose page already waits for its confirmation. */
async function hold(changes: Partial<typeof request> = {}, following?: string) {
  const { id, match } = await logins.begin({ ...request, ...changes })
  return { id, match, ...(await logins.hold(id, account, following)) }
}
const otherDigits = (match: string): string => (match === '11' ? '12' : '11')
const setMatch = (id: string, match: string) =>
  sql`update auth_social set match = ${match} where id = ${id}`.execute(database.kysely)

describe('the response of a provider', () => {
  test('claims the login that its state belongs to, once, with the secrets of its beginning [A-09]', async () => {
    const { id, state, verifier } = await logins.begin(request)
    expect([state.length, verifier.length]).toEqual([43, 43])
    const login = { id, state, verifier, nonce: request.nonce, key: 'frame', next }
    expect(await logins.claim('github', state)).toEqual(login)
    expect(await logins.claim('github', state)).toBeUndefined()
  })

  test('claims nothing at another provider, with another state, or after ten minutes [A-09] [A-11]', async () => {
    const { state } = await logins.begin(request)
    expect(await logins.claim('google', state)).toBeUndefined()
    expect(await logins.claim('github', `${state}x`)).toBeUndefined()
    now += 10 * minute
    expect(await logins.claim('github', state)).toBeUndefined()
  })

  test('is stored without readable secrets', async () => {
    const { state, verifier } = await logins.begin(request)
    const { secret } = await hold()
    const { rows } = await sql<{ row: string }>`select auth_social::text as row from auth_social`.execute(
      database.kysely,
    )
    const stored = rows.map(({ row }) => row).join()
    for (const text of [state, verifier, secret, request.nonce, request.place, next.uri, ownNetwork, 'Ann']) {
      expect(stored).not.toContain(text)
      expect(stored).not.toContain(Buffer.from(text).toString('hex'))
    }
  })

  test('that arrives when the login is over is not held', async () => {
    const { id } = await logins.begin(request)
    now += 10 * minute
    await expect(logins.hold(id, account)).rejects.toThrow('cannot be read')
  })
})

describe('the page at the end of a login', () => {
  test('shows the request that began it, with the secret only', async () => {
    const { id, secret, request: shown } = await hold()
    const { origin, browser } = request
    expect(shown).toEqual({ origin, browser, place: 'DE/Berlin', at: now })
    expect(await logins.findRequest({ id, secret })).toEqual(shown)
    expect(await logins.findRequest({ id, secret: 'x' })).toBeUndefined()
    expect(await logins.findRequest({ id: randomUUID(), secret })).toBeUndefined()
    expect(await logins.findRequest({ id: 'x', secret })).toBeUndefined()
  })

  test('accepts the digits of its login three times at most [A-07]', async () => {
    const { id, secret, match } = await hold()
    const enter = async (digits: string) =>
      (await logins.confirm({ id, secret, match: digits, client: ownNetwork })).state
    for (const state of ['wrong', 'wrong', 'over', 'over']) expect(await enter(otherDigits(match))).toBe(state)
    expect(await enter(match)).toBe('over')
    await expect(logins.redeem(id, 'frame', secret)).rejects.toEqual(expired)
  })

  test('counts each of many concurrent tries [A-07]', async () => {
    const { id, secret, match } = await hold()
    const entered = { id, secret, match: otherDigits(match), client: ownNetwork }
    const states = await Promise.all(Array.from({ length: 20 }, () => logins.confirm(entered)))
    expect(states.filter(({ state }) => state === 'wrong')).toHaveLength(2)
    expect((await logins.confirm({ ...entered, match })).state).toBe('over')
  })

  test('is over without its secret, for another login, and after ten minutes', async () => {
    const { id, secret, match } = await hold()
    const entered = { id, secret, match, client: ownNetwork }
    for (const wrong of [{ secret: 'x' }, { id: randomUUID() }, { id: 'x' }]) {
      expect(await logins.confirm({ ...entered, ...wrong })).toEqual({ state: 'over' })
    }
    now += 10 * minute
    expect(await logins.confirm(entered)).toEqual({ state: 'over' })
  })

  test('goes on to the address of the next login, if there is one', async () => {
    for (const following of [undefined, next.uri]) {
      const { id, secret, match } = await hold({}, following)
      const confirmed = await logins.confirm({ id, secret, match, client: ownNetwork })
      expect(confirmed).toEqual({ state: 'done', next: following })
      expect(await logins.redeem(id, 'frame')).toEqual({ account, continues: following !== undefined })
    }
  })
})

describe('the digits of two logins that are equal', () => {
  test('confirm neither while both are open in the network of the page [A-21]', async () => {
    const [victim, lure] = [await hold(), await hold({ client: otherNetwork })]
    await setMatch(lure.id, victim.match)
    const entered = { id: lure.id, secret: lure.secret, match: victim.match, client: ownNetwork }
    expect(await logins.confirm(entered)).toEqual({ state: 'over' })
    await expect(logins.redeem(lure.id, 'frame')).rejects.toEqual(expired)
  })

  test('confirm one if the other is in another network, redeemed or expired', async () => {
    const other = await hold({ client: otherNetwork })
    const confirm = async () => {
      const { id, secret } = await hold()
      await setMatch(id, other.match)
      return logins.confirm({ id, secret, match: other.match, client: ownNetwork })
    }
    expect((await confirm()).state).toBe('done')
    await sql`delete from auth_social where id <> ${other.id}`.execute(database.kysely)
    await sql`update auth_social set network = (select network from auth_social where id = ${(await hold()).id})
      where id = ${other.id}`.execute(database.kysely)
    expect((await confirm()).state).toBe('over')
    await sql`update auth_social set redeemed_at = ${now} where match = ${other.match}`.execute(database.kysely)
    expect((await confirm()).state).toBe('done')
    await sql`update auth_social set redeemed_at = null, expires_at = ${now}`.execute(database.kysely)
    expect((await confirm()).state).toBe('done')
  })
})

describe('the result of a login', () => {
  test('is returned once, to its frame, with the secret of the page [A-06] [A-21]', async () => {
    const { id, secret } = await hold()
    expect(await logins.redeem(id, 'frame')).toBeUndefined()
    expect(await logins.redeem(id, 'frame', 'x')).toBeUndefined()
    await expect(logins.redeem(id, 'other frame', secret)).rejects.toEqual(expired)
    expect(await logins.redeem(id, 'frame')).toBeUndefined()
    expect(await logins.redeem(id, 'frame', secret)).toEqual({ account, continues: false })
    await expect(logins.redeem(id, 'frame', secret)).rejects.toEqual(expired)
    const { rows } = await sql`select id from auth_social where account is not null`.execute(database.kysely)
    expect(rows).toEqual([])
  })

  test('is returned to one of many concurrent requests [A-09]', async () => {
    const { id, secret } = await hold()
    const requests = Array.from({ length: 10 }, () => logins.redeem(id, 'frame', secret))
    const outcomes = await Promise.allSettled(requests)
    expect(outcomes.filter((each) => each.status === 'fulfilled' && each.value !== undefined)).toHaveLength(1)
  })

  test('exists for known logins only', async () => {
    await expect(logins.redeem(randomUUID(), 'frame')).rejects.toEqual(expired)
    await expect(logins.redeem('x', 'frame')).rejects.toEqual(expired)
  })

  test('ends a minute after the digits, and the secret of the page does not revive it [A-09]', async () => {
    const { id, secret, match } = await hold()
    await logins.confirm({ id, secret, match, client: ownNetwork })
    now += minute
    await expect(logins.redeem(id, 'frame')).rejects.toEqual(expired)
    await expect(logins.redeem(id, 'frame', secret)).rejects.toEqual(expired)
  })

  test('ends ten minutes after the beginning, without the digits [A-09]', async () => {
    const { id, secret } = await hold()
    now += 10 * minute - 1
    expect(await logins.redeem(id, 'frame')).toBeUndefined()
    now += 1
    await expect(logins.redeem(id, 'frame')).rejects.toEqual(expired)
    await expect(logins.redeem(id, 'frame', secret)).rejects.toEqual(expired)
  })

  test('is the reason of a failure, once', async () => {
    const { id } = await logins.begin(request)
    await logins.fail(id, 'You did not allow it there.')
    const reason = expect.objectContaining({ status: 401, field: 'login', message: 'You did not allow it there.' })
    await expect(logins.redeem(id, 'frame')).rejects.toEqual(reason)
    await expect(logins.redeem(id, 'frame')).rejects.toEqual(expired)
  })

  test('that is over stays over when the clock goes back', async () => {
    const { id, secret, match } = await hold()
    now += 5 * minute
    await logins.confirm({ id, secret, match, client: ownNetwork })
    now += minute
    await expect(logins.redeem(id, 'frame')).rejects.toEqual(expired)
    now -= 5 * minute
    await expect(logins.redeem(id, 'frame')).rejects.toEqual(expired)
  })
})

test('a sweep deletes the logins that are over, and no others', async () => {
  const { state } = await logins.begin(request)
  now += 10 * minute - 1
  await logins.sweep()
  expect(await logins.claim('github', state)).toBeDefined()
  now += 1
  await logins.begin(request)
  await logins.sweep()
  const { rows } = await sql<{ created_at: number }>`select created_at from auth_social`.execute(database.kysely)
  expect(rows).toEqual([{ created_at: now }])
})
