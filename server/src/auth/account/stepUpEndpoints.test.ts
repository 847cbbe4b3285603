import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { policyVerifierChallenge } from '../../custody/policies/verifyPolicyRecord.ts'
import { createRiskChecks } from '../../custody/requests/riskChecks.ts'
import {
  createRefusal,
  mountTestEndpoints,
  testAuthenticator,
  type TestEndpoints,
} from '../../custody/testing/mountTestEndpoints.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { walletProofBytes } from '../keyShares/verifyWalletProof.ts'
import { authPolicyEndpoints } from './authPolicyEndpoints.ts'
import { emailEndpoints } from './emailEndpoints.ts'
import { passkeyEndpoints } from './passkeyEndpoints.ts'
import { stepUpEndpoints } from './stepUpEndpoints.ts'

const now = Date.UTC(2026, 10, 30)
const origin = 'http://app.localhost'
const longOrigin = `http://${'a'.repeat(250)}.localhost`
const tokens = { accessToken: 'a', sharesToken: 's', refreshToken: 'r', expiresAt: 1 }
const walletKey = randomBytes(32)
const accounts = [{ namespace: 'solana', address: base58.encode(ed25519.getPublicKey(walletKey)) }]
const requester = { origin, browser: 'Firefox on Linux', locale: 'en' }
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

let endpoints: TestEndpoints
let calls: unknown[][]
let email: string | undefined
let hasMailbox = true
let isPasskeyRight = true

const users = {
  find: async (id: string) => (id === 'ann' ? { id, email } : undefined),
  hasMailbox: async (id: string) => id === 'ann' && hasMailbox,
  isEstablishedDevice: async (_user: string, key: string) => key === 'laptop',
}

beforeAll(async () => {
  const clock = { now: () => now }
  const projects = createProjects('any')
  const common = { authenticator: testAuthenticator, projects, trustedProxies: 1, clock, auditLog: { record } }
  const riskChecks = createRiskChecks({
    clock,
    hasProvenPasskey: ({ methods }) => methods.includes('passkey'),
    devices: { isEstablishedDevice: async (user, key) => `${user} ${key}` === 'ann laptop' },
  })
  const sessions = { begin: recordCall('session', tokens) }
  endpoints = await mountTestEndpoints([
    ...stepUpEndpoints({
      ...common,
      users,
      sessions,
      codes: {
        send: recordCall('send', { id: 'the-id' }),
        redeem: recordCall('redeem', { mailbox: Buffer.of(1), email: '' }),
      },
    }),
    ...emailEndpoints({
      ...common,
      users,
      riskChecks,
      changes: {
        start: recordCall('start', { id: 'the-id', action: 'VERIFY_PRIMARY_OTP' as const }),
        confirmPrimary: recordCall('primary', undefined),
        confirmSecondary: recordCall('secondary', { email: 'new@example.net' }),
      },
    }),
    ...passkeyEndpoints({
      ...common,
      sessions,
      riskChecks,
      passkeys: createPasskeys(),
    }),
    ...authPolicyEndpoints({
      ...common,
      riskChecks,
      users,
      policies: { list: async () => [], write: recordCall('write', undefined) },
      shares: {
        listDevices: async () =>
          ['laptop', 'phone'].map((key) => ({
            key,
            setId: randomBytes(16),
            browser: '',
            origin: undefined,
            createdAt: 0,
          })),
        listAccounts: async (user) => (user === 'ann' ? accounts : undefined),
      },
      pendingPolicies: { notify: async (user, { method }) => void calls.push(['notify', user, method]) },
    }),
  ])
})
beforeEach(() => {
  ;[calls, email, hasMailbox, isPasskeyRight] = [[], 'ann@example.org', true, true]
})
afterAll(() => endpoints.close())

const recordCall =
  <result>(name: string, result: result) =>
  async (...given: readonly unknown[]): Promise<result> => {
    calls.push([name, ...given])
    return result
  }
const createPasskeys = () => ({
  add: recordCall('add', undefined),
  remove: recordCall('remove', undefined),
  createChallenge: recordCall('challenge', Buffer.of(1, 2, 3)),
  async verify(...given: readonly unknown[]) {
    calls.push(['verify', ...given])
    if (!isPasskeyRight) throw new Problem(401, 'passkey', 'no')
  },
})
async function record(event: string, { raw, ...facts }: { raw?: { method?: string | undefined } }): Promise<void> {
  calls.push([event, raw?.method, facts])
}
const code = { id: 'the-id', code: '123456' }
const owner = { user: 'ann', key: 'laptop' }

test.each([
  ['stepup', { origin, action: 'export' }],
  ['stepup/redeem', { ...code, action: 'export' }],
  ['email/update', { email: 'new@example.net', projectId: 'ab'.repeat(16), origin }],
  ['email/primary', code],
  ['email/secondary', code],
  ['passkeys', { id: 'AAAA', publicKey: 'AAAA' }],
  ['passkeys/remove', { id: 'AAAA' }],
  ['passkeys/challenge', {}],
  ['passkeys/prove', { id: 'AAAA', authenticatorData: 'AAAA', clientDataJSON: 'AAAA', signature: 'AAAA' }],
  ['policy/read', {}],
])('a request to %s needs a login', async (path, body) => {
  expect(await endpoints.post(`/auth/v1/${path}`, body, null)).toMatchObject(createRefusal(401, 'token'))
  expect(calls).toEqual([])
})

describe('a code for an action', () => {
  test('is sent to the mailbox of the user, for the key of the device and this action [C-02]', async () => {
    for (const action of ['export', 'delete']) {
      expect(await endpoints.post('/auth/v1/stepup', { origin, action })).toEqual({
        status: 200,
        body: { id: 'the-id' },
      })
    }
    const sent = { email, key: 'laptop', project: 'step-up', client: '192.168.0.7', requester }
    expect(calls).toEqual([
      ['send', { ...sent, purpose: 'step-up-export' }],
      ['send', { ...sent, purpose: 'step-up-delete' }],
    ])
  })

  test('begins a session that is fresh for this action, without earlier confirmations [C-02] [A-08]', async () => {
    const methods = ['github', 'email', 'passkey', 'step-up:export']
    const { status, body } = await endpoints.post('/auth/v1/stepup/redeem', { ...code, action: 'delete' }, { methods })
    expect([status, body]).toEqual([200, tokens])
    expect(calls).toEqual([
      ['redeem', { ...code, email, purpose: 'step-up-delete', key: 'laptop' }],
      ['session', { ...owner, methods: ['github', 'email', 'step-up:delete'] }, 'Firefox on Linux'],
    ])
  })

  test('needs a mailbox, a known origin and a known action', async () => {
    const request = (body = {}) => endpoints.post('/auth/v1/stepup', { origin, action: 'export', ...body })
    expect(await request({ origin: 'https://evil.example' })).toMatchObject(createRefusal(400, 'origin'))
    expect(await request({ origin: longOrigin })).toMatchObject(createRefusal(400, 'origin'))
    expect(await request({ action: 'email' })).toMatchObject(createRefusal(400, 'action'))
    expect(await endpoints.post('/auth/v1/stepup', { origin, action: 'export' }, { user: 'ben' })).toMatchObject(
      createRefusal(401, 'mailbox'),
    )
    hasMailbox = false
    expect(await request()).toMatchObject(createRefusal(401, 'mailbox'))
    ;[hasMailbox, email] = [true, undefined]
    expect(await request()).toMatchObject(createRefusal(401, 'mailbox'))
    const redeemed = await endpoints.post('/auth/v1/stepup/redeem', { ...code, action: 'export' })
    expect(redeemed).toMatchObject(createRefusal(401, 'mailbox'))
    expect(calls).toEqual([])
  })

  test('that is too long is refused', async () => {
    const body = { ...code, action: 'export' }
    expect(await endpoints.post('/auth/v1/stepup/redeem', { ...body, id: 'a'.repeat(37) })).toMatchObject(
      createRefusal(400, 'id'),
    )
    expect(await endpoints.post('/auth/v1/stepup/redeem', { ...body, code: '1'.repeat(13) })).toMatchObject(
      createRefusal(400, 'code'),
    )
  })
})

describe('a change of the address', () => {
  const body = { email: 'new@example.net', projectId: 'ab'.repeat(16), origin }
  const update = (claims = {}, changed = {}) => endpoints.post('/auth/v1/email/update', { ...body, ...changed }, claims)

  test('starts on an established device, for an origin of the project [C-05]', async () => {
    expect(await update()).toEqual({ status: 200, body: { id: 'the-id', action: 'VERIFY_PRIMARY_OTP' } })
    const source = { project: body.projectId, client: '192.168.0.7', requester }
    expect(calls).toEqual([['start', expect.objectContaining(owner), 'new@example.net', source]])
    expect(await update({ key: 'phone' })).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await update({}, { origin: 'https://evil.example' })).toMatchObject(createRefusal(403, 'origin'))
    expect(await update({}, { email: `${'a'.repeat(251)}@b.c` })).toMatchObject(createRefusal(400, 'email'))
    expect(await update({}, { origin: longOrigin })).toMatchObject(createRefusal(400, 'origin'))
    expect(await update({}, { projectId: 'a'.repeat(65) })).toMatchObject(createRefusal(400, 'projectId'))
    expect(calls).toHaveLength(1)
  })

  test('without a mailbox needs a fresh login [C-09]', async () => {
    expect((await update({ begunAt: 0 })).status).toBe(200)
    hasMailbox = false
    expect(await update({ begunAt: now - 300_001 })).toMatchObject(createRefusal(403, 'fresh'))
    expect(await update({ begunAt: now, methods: ['step-up:export'] })).toMatchObject(createRefusal(403, 'fresh'))
    expect((await update({ begunAt: now })).status).toBe(200)
  })

  test('is confirmed by two codes, and mails name known origins only', async () => {
    for (const sentOrigin of [origin, 'https://evil.example', undefined]) {
      const headers = sentOrigin === undefined ? {} : { origin: sentOrigin }
      expect(await endpoints.post('/auth/v1/email/primary', code, {}, headers)).toEqual({ status: 200, body: {} })
    }
    const shown = [origin, '', '']
    const source = { project: 'email-update', client: '192.168.0.7' }
    expect(calls).toEqual(
      shown.map((each) => [
        'primary',
        expect.objectContaining(owner),
        code,
        { ...source, requester: { ...requester, origin: each } },
      ]),
    )
    const confirmed = await endpoints.post('/auth/v1/email/secondary', code)
    expect(confirmed).toEqual({ status: 200, body: { email: 'new@example.net' } })
    expect(calls.at(-1)).toEqual([
      'secondary',
      expect.objectContaining(owner),
      code,
      { ...source, requester: { ...requester, origin: '' } },
    ])
  })
})

describe('a passkey', () => {
  const [id, publicKey] = [randomBytes(16), randomBytes(91)]

  test('is added and removed on an established device only [A-08]', async () => {
    const body = { id: encode(id), publicKey: encode(publicKey) }
    for (const path of ['/auth/v1/passkeys', '/auth/v1/passkeys/remove']) {
      expect(await endpoints.post(path, body, { key: 'phone' })).toMatchObject(createRefusal(403, 'deviceAge'))
      expect(calls).toEqual([])
      expect((await endpoints.post(path, {})).status).toBe(400)
      expect(await endpoints.post(path, { ...body, id: 'A'.repeat(5) })).toMatchObject(createRefusal(400, 'id'))
    }
    expect(await endpoints.post('/auth/v1/passkeys', body)).toEqual({ status: 200, body: {} })
    expect(await endpoints.post('/auth/v1/passkeys/remove', body)).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([
      ['add', 'ann', { id, publicKey }],
      ['passkey added', 'POST', owner],
      ['remove', 'ann', id],
    ])
    const wrongKey = await endpoints.post('/auth/v1/passkeys', { ...body, publicKey: 'A'.repeat(5) })
    expect(wrongKey).toMatchObject(createRefusal(400, 'publicKey'))
  })

  test('gets a challenge for its user and device', async () => {
    expect((await endpoints.post('/auth/v1/passkeys/challenge', {})).body).toEqual({ challenge: 'AQID' })
    expect(calls).toEqual([['challenge', 'ann', 'laptop']])
  })

  test('begins a fresh session if its assertion is right, and both results are recorded [A-08]', async () => {
    const parts = {
      id,
      authenticatorData: randomBytes(37),
      clientDataJSON: randomBytes(90),
      signature: randomBytes(70),
    }
    const body = Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, encode(bytes)]))
    const prove = () => endpoints.post('/auth/v1/passkeys/prove', body, { methods: ['email', 'step-up:export'] })
    expect(await prove()).toEqual({ status: 200, body: tokens })
    expect(calls).toEqual([
      ['verify', 'ann', 'laptop', expect.objectContaining({ signature: parts.signature })],
      ['passkey verified', 'POST', owner],
      ['session', { ...owner, methods: ['email', 'passkey'] }, 'Firefox on Linux'],
    ])
    ;[calls, isPasskeyRight] = [[], false]
    expect(await prove()).toMatchObject(createRefusal(401, 'passkey'))
    expect(calls.slice(1)).toEqual([['passkey refused', 'POST', owner]])
  })
})

describe('the signing policy', () => {
  const key = randomBytes(32)
  const verifier = Buffer.from(ed25519.getPublicKey(key))
  const certify = (by: Uint8Array) =>
    encode(ed25519.sign(Uint8Array.from(walletProofBytes(policyVerifierChallenge(verifier))), by))
  const change = {
    kind: 'policy',
    counter: 1,
    previous: 0,
    verifier: encode(verifier),
    sealed: 'AAAA',
    signature: encode(randomBytes(64)),
    certificate: certify(walletKey),
  }
  const write = (changed: object, claims = {}) =>
    endpoints.post('/auth/v1/policy/write', { ...change, ...changed }, claims)

  test('accepts a first key that the wallet signed, and no other one [C-08]', async () => {
    expect(await write({ certificate: certify(randomBytes(32)) })).toMatchObject(createRefusal(401, 'wallet'))
    expect(await write({}, { user: 'ben' })).toMatchObject(createRefusal(401, 'wallet'))
    expect(calls).toEqual([])
    expect((await write({})).status).toBe(200)
    expect(calls).toEqual([['write', 'ann', expect.objectContaining({ kind: 'policy', verifier })]])
  })

  test('that takes effect later is announced, and later records need no certificate', async () => {
    const certificate = certify(randomBytes(32))
    expect((await write({ counter: 2, previous: 1, certificate })).status).toBe(200)
    expect((await write({ kind: 'pending', certificate })).status).toBe(200)
    expect(calls.map(([name]) => name)).toEqual(['write', 'write', 'notify'])
    expect(calls[2]).toEqual(['notify', 'ann', 'POST'])
  })

  test('comes with the time, the devices and the age of the passkey', async () => {
    const devices = [
      { key: 'laptop', isEstablished: true },
      { key: 'phone', isEstablished: false },
    ]
    const { body } = await endpoints.post('/auth/v1/policy/read', {})
    expect(body).toEqual({ now, records: [], devices, hasFreshPasskey: false })
    const proven = await endpoints.post('/auth/v1/policy/read', {}, { methods: ['passkey'], begunAt: now })
    expect(proven.body).toHaveProperty('hasFreshPasskey', true)
  })
})
