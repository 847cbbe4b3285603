import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mail } from '../../custody/mail/mailer.ts'
import { createRiskChecks } from '../../custody/requests/riskChecks.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import { tryAgainLater } from '../../custody/requests/tryAgainLater.ts'
import {
  createRefusal,
  mountTestEndpoints,
  testAuthenticator,
  type TestEndpoints,
} from '../../custody/testing/mountTestEndpoints.ts'
import { Problem } from '../../kit/http/problem.ts'
import { walletProofBytes } from '../keyShares/verifyWalletProof.ts'
import { accountEndpoints } from './accountEndpoints.ts'
import type { PasswordOprf } from './passwordOprf.ts'

const now = Date.UTC(2026, 10, 30)
const minute = 60_000
const walletKey = randomBytes(32)
const accounts = [{ namespace: 'solana', address: base58.encode(ed25519.getPublicKey(walletKey)) }]
const setId = randomBytes(16)
const share = { setId, key: 'laptop', browser: 'Firefox on Linux', origin: undefined, createdAt: 7 }
const fresh = { begunAt: now }
const stale = { begunAt: now - 6 * minute }

let endpoints: TestEndpoints
let calls: unknown[][]
let mails: Mail[]
let isMailDown = false
let email: string | undefined
let established: readonly string[]
let challenges: string[]
let hasWallet = true
let evaluate: PasswordOprf['evaluate']

beforeAll(async () => {
  const clock = { now: () => now }
  endpoints = await mountTestEndpoints(
    accountEndpoints({
      clock,
      trustedProxies: 1,
      places: createPlaces(),
      authenticator: testAuthenticator,
      riskChecks: createRiskChecks({
        clock,
        devices: { isEstablishedDevice: async (user, key) => established.includes(`${user} ${key}`) },
      }),
      users: {
        find: async (id) => (id === 'ann' ? { id, email } : undefined),
        isProvenDevice: async (user, key) => user === 'ann' && key === 'laptop',
      },
      shares: {
        listAccounts: async (user) => (user === 'ann' && hasWallet ? accounts : undefined),
        listDevices: async (user) =>
          user === 'ann'
            ? [
                { ...share, origin: 'https://app.example' },
                { ...share, key: 'old' },
              ]
            : [],
        recordExport: async (user) => (calls.push(['exported', user]), 9),
      },
      sessions: {
        listDevices: async (user) =>
          user === 'ann' ? ['old', 'phone', 'thief'].map((key) => ({ key, browser: 'Chrome', createdAt: 8 })) : [],
      },
      passkeys: {
        consumeChallenge: async (user, key, challenge) =>
          challenges.includes(`${user} ${key} ${Buffer.from(challenge).toString('hex')}`),
      },
      oprf: { evaluate: (...given) => evaluate(...given) },
      deletions: {
        schedule: async (...given) => (calls.push(['schedule', ...given]), { at: 11, secret: 'the-secret' }),
        cancel: async (user) => void calls.push(['cancel', user]),
      },
      mailer: {
        async send(mail) {
          if (isMailDown) throw new Error('The mail server is down.')
          mails.push(mail)
        },
        close: async () => undefined,
      },
      auditLog: { record: async (event, { raw, ...facts }) => void calls.push([event, raw?.method, facts]) },
      cancelPage: () => 'https://auth.example/kept',
    }),
  )
})
beforeEach(() => {
  ;[calls, mails, isMailDown, hasWallet, email] = [[], [], false, true, 'ann@example.org']
  ;[established, challenges] = [['ann laptop'], []]
  evaluate = async () => expect.fail('not called')
})
afterAll(() => endpoints.close())

const owner = { user: 'ann', key: 'laptop' }

describe('the evaluation of a password', () => {
  const blinded = randomBytes(32)
  const body = { blinded: blinded.toString('base64url') }

  test('is for the user and the kind of the device [K-09]', async () => {
    evaluate = async (...given) => {
      calls.push(given)
      return { evaluated: Uint8Array.of(1, 2, 3), version: 4 }
    }
    const result = { status: 200, body: { evaluated: 'AQID', version: 4 } }
    expect(await endpoints.post('/auth/v1/oprf', { ...body, version: 4 })).toEqual(result)
    expect(await endpoints.post('/auth/v1/oprf', body, { key: 'phone' })).toEqual(result)
    expect(calls).toEqual([
      [{ user: 'ann', isProven: true }, blinded, 4],
      [{ user: 'ann', isProven: false }, blinded, undefined],
    ])
  })

  test('is refused without a login, and for a text of another form', async () => {
    expect(await endpoints.post('/auth/v1/oprf', body, null)).toMatchObject(createRefusal(401, 'token'))
    for (const wrong of ['', '!', 'A'.repeat(42), 'A'.repeat(44)]) {
      expect(await endpoints.post('/auth/v1/oprf', { blinded: wrong })).toMatchObject(createRefusal(400, 'blinded'))
    }
    expect(await endpoints.post('/auth/v1/oprf', { ...body, version: 0 })).toMatchObject(createRefusal(400, 'version'))
  })

  test('is recorded if the limit of guesses refuses it, and for no other reason [K-09]', async () => {
    evaluate = async () => {
      throw tryAgainLater('password', 60)
    }
    expect(await endpoints.post('/auth/v1/oprf', body)).toMatchObject(createRefusal(429, 'password'))
    expect(calls).toEqual([['password attempt refused', 'POST', owner]])
    evaluate = async () => {
      throw new Problem(400, 'blinded', 'no')
    }
    expect(await endpoints.post('/auth/v1/oprf', body)).toMatchObject(createRefusal(400, 'blinded'))
    evaluate = async () => {
      throw Object.assign(new Error('no'), { status: 429 })
    }
    expect((await endpoints.post('/auth/v1/oprf', body)).status).toBe(500)
    expect(calls).toHaveLength(1)
  })
})

test('the list of devices has those with a share, and those that are only logged in [C-04]', async () => {
  const { body } = await endpoints.post('/auth/v1/devices', {})
  const facts = { setId: setId.toString('base64url'), browser: 'Firefox on Linux', createdAt: 7 }
  const loggedIn = { browser: 'Chrome', createdAt: 8, current: false }
  expect(body).toEqual({
    devices: [
      { ...facts, key: 'laptop', origin: 'https://app.example', current: true },
      { ...facts, key: 'old', current: false },
      { ...loggedIn, key: 'phone' },
      { ...loggedIn, key: 'thief' },
    ],
  })
  const onPhone = await endpoints.post('/auth/v1/devices', {}, { key: 'phone' })
  const current = (onPhone.body['devices'] as { key: string; current: boolean }[]).filter((each) => each.current)
  expect(current.map(({ key }) => key)).toEqual(['phone'])
  expect(await endpoints.post('/auth/v1/devices', {}, { user: 'ben' })).toEqual({ status: 200, body: { devices: [] } })
})

describe.each([
  ['an export of the keys', '/auth/v1/exported', 'export'],
  ['a deletion', '/auth/v1/deletion', 'delete'],
] as const)('%s', (_what, path, action) => {
  test('needs a fresh login on an established device [A-08]', async () => {
    expect(await endpoints.post(path, {}, null)).toMatchObject(createRefusal(401, 'token'))
    expect(await endpoints.post(path, {}, stale)).toMatchObject(createRefusal(403, 'fresh'))
    expect(await endpoints.post(path, {}, { ...fresh, key: 'phone' })).toMatchObject(createRefusal(403, 'deviceAge'))
    const other = { ...fresh, methods: [`step-up:${action === 'export' ? 'delete' : 'export'}`] }
    expect(await endpoints.post(path, {}, other)).toMatchObject(createRefusal(403, 'fresh'))
    expect([calls, mails]).toEqual([[], []])
    expect((await endpoints.post(path, {}, { ...fresh, methods: [`step-up:${action}`] })).status).toBe(200)
  })

  test('is announced to the owner, with its source', async () => {
    expect((await endpoints.post(path, {}, fresh)).status).toBe(200)
    expect(mails.map(({ to }) => to)).toEqual(['ann@example.org'])
    for (const fact of ['Firefox on Linux', 'local network', 'November 30, 2026'])
      expect(mails[0]?.text).toContain(fact)
  })

  test('does not happen if its owner cannot be notified, and needs no mail without an address [A-18]', async () => {
    isMailDown = true
    expect(await endpoints.post(path, {}, fresh)).toMatchObject(createRefusal(503, 'mail'))
    expect(calls.filter(([name]) => name === 'exported')).toEqual([])
    expect(calls.filter(([name]) => name === 'schedule').length).toBe(
      calls.filter(([name]) => name === 'cancel').length,
    )
    email = undefined
    expect((await endpoints.post(path, {}, fresh)).status).toBe(200)
  })
})

test('an export of the keys is recorded for the wallet and in the log', async () => {
  expect(await endpoints.post('/auth/v1/exported', {}, fresh)).toEqual({ status: 200, body: { at: 9 } })
  expect(calls).toEqual([
    ['exported', 'ann'],
    ['key exported', 'POST', owner],
  ])
})

describe('a deletion', () => {
  const source = { browser: 'Firefox on Linux', place: 'local', at: now, locale: 'en' }
  function prove(key: Uint8Array = walletKey) {
    const challenge = randomBytes(32)
    challenges.push(`ann laptop ${challenge.toString('hex')}`)
    const signature = ed25519.sign(Uint8Array.from(walletProofBytes(challenge)), key)
    return { challenge: challenge.toString('base64url'), signature: Buffer.from(signature).toString('base64url') }
  }
  const request = (proof?: object) => endpoints.post('/auth/v1/deletion', proof === undefined ? {} : { proof }, fresh)

  test('is proven with a proof of the wallet, or without a wallet [A-08]', async () => {
    expect(await request(prove())).toEqual({ status: 200, body: { at: 11 } })
    expect(await request()).toEqual({ status: 200, body: { at: 11 } })
    hasWallet = false
    expect(await request()).toEqual({ status: 200, body: { at: 11 } })
    const scheduled = [true, false, true].map((isProven) => ['schedule', 'ann', { isProven, source }])
    expect(calls).toEqual(scheduled)
  })

  test('with a proof of another wallet or for another challenge is refused [C-08]', async () => {
    expect(await request(prove(randomBytes(32)))).toMatchObject(createRefusal(401, 'wallet'))
    const used = prove()
    challenges = []
    expect(await request(used)).toMatchObject(createRefusal(401, 'wallet'))
    expect([calls, mails]).toEqual([[], []])
  })

  test('is announced with a link that cancels it', async () => {
    await request()
    const link = new URL(/https:\S+/.exec(mails[0]?.text ?? '')?.[0] ?? expect.fail('no link'))
    expect(link.href.startsWith('https://auth.example/kept?')).toBe(true)
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ id: 'ann', secret: 'the-secret', place: 'local' })
    expect(mails[0]?.text).toContain('January 1, 1970')
  })

  test('is cancelled by any login of the user', async () => {
    const cancel = (claims: object | null) => endpoints.post('/auth/v1/deletion/cancel', {}, claims)
    expect(await cancel({ ...stale, key: 'phone' })).toEqual({ status: 200, body: {} })
    expect(await cancel(null)).toMatchObject(createRefusal(401, 'token'))
    expect(calls).toEqual([['cancel', 'ann']])
  })
})
