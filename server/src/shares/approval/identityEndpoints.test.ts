import { createHash, randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPlaces } from '../../custody/requests/source/places.ts'
import {
  createRefusal,
  mountTestEndpoints,
  testAuthenticator,
  type TestEndpoints,
} from '../../custody/testing/mountTestEndpoints.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createTestAccess, createTestProofs, testProof } from '../testing/createTestAccess.ts'
import { deviceListEndpoints } from './deviceListEndpoints.ts'
import { devicePasskeyEndpoints, devicePasskeyPrefix } from './devicePasskeyEndpoints.ts'
import { deviceRequestEndpoints } from './deviceRequestEndpoints.ts'
import { identityEndpoints, type IdentityEndpointsDependencies } from './identityEndpoints.ts'
import { devicePath, linkEndpoints, serveDevicePage } from './linkEndpoints.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const longOrigin = `http://${'a'.repeat(250)}.localhost`
const bytes = (count: number): string => randomBytes(count).toString('base64url')
const walletId = randomBytes(16)
const [tablet, phoneKey] = [bytes(32), bytes(32)]
const browser = 'Firefox on Linux'
const opensAt = 9
const otherMethod = { id: 'password', method: 'password', facts: '{}', createdAt: 1 } as const

let endpoints: TestEndpoints
let proofs: ReturnType<typeof createTestProofs>
let calls: unknown[][]
let identity: IdentityEndpointsDependencies
let isNeeded = true
let isKnown = false
let wait: { match: string; opensAt: number } | undefined
let passkeys: readonly { id: string }[]
let method: { id: string; method: 'auto' | 'password' | 'passkey' }
let hasWallet = true
let isPasskeyRight = true

const record =
  <result>(name: string, result: result) =>
  async (...given: readonly unknown[]): Promise<result> => {
    calls.push([name, ...given.map(withoutClaims)])
    return result
  }
/** Shortens a device to its user and its key. */
const withoutClaims = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'methods' in value && 'user' in value && 'key' in value
    ? { user: value.user, key: value.key }
    : value

beforeAll(async () => {
  proofs = createTestProofs()
  const common = {
    access: createTestAccess(),
    authenticator: testAuthenticator,
    storeProofs: proofs,
    projects: createProjects('any'),
    trustedProxies: 1,
    auditLog: {
      record: async (event: string, { raw, ...facts }: { raw?: { method?: string | undefined } }) =>
        void calls.push([event, raw?.method, facts]),
    },
  }
  identity = createIdentityDependencies(common)
  endpoints = await mountTestEndpoints([
    ...linkEndpoints({
      ...common,
      links: { send: record('send', { id: 'the-id', match: '42' }), getState: record('state', 'waiting' as const) },
    }),
    ...deviceRequestEndpoints({
      ...common,
      deviceRequests: {
        getState: record('state', 'waiting' as const),
        list: record('list', [{ id: 'the-id', browser, place: 'local', at: 1, opensAt }]),
        approve: record('approve', undefined),
        stop: record('stop', undefined),
      },
    }),
    ...deviceListEndpoints({
      ...common,
      devices: {
        describe: async (user) =>
          user === 'ann' ? ['laptop', tablet, phoneKey].map((key) => ({ key, since: 3 })) : [],
        isEstablishedDevice: async (user, key) => user === 'ann' && ['laptop', tablet].includes(key),
      },
      store: { removeDevice: record('remove', undefined) },
      identityApprovals: { revokeApproval: record('revoke', undefined) },
    }),
    ...devicePasskeyEndpoints({
      ...common,
      passkeys: {
        add: record('add', undefined),
        createChallenge: record('challenge', Buffer.of(1, 2, 3)),
        async verify(...given) {
          calls.push(['verify', ...given])
          if (!isPasskeyRight) throw new Problem(401, 'passkey', 'The passkey is wrong.')
        },
      },
      methods: {
        list: async (user) => (user === 'ann' ? [otherMethod, { ...method, facts: '{}', createdAt: 1 }] : []),
      },
      store: { findWalletId: async (user) => (user === 'ann' && hasWallet ? walletId : undefined) },
      deviceRequests: { approveByPasskey: record('approve', undefined) },
    }),
    ...identityEndpoints(identity),
  ])
})
function createIdentityDependencies(
  common: Pick<IdentityEndpointsDependencies, 'authenticator' | 'projects' | 'trustedProxies'>,
): IdentityEndpointsDependencies {
  return {
    ...common,
    places: createPlaces(),
    identityApprovals: { approve: record('approve', undefined), approveByFarcaster: record('farcaster', undefined) },
    providerLogins: {
      begin: record('begin', { id: 'the-id', uri: 'https://provider.example/' }),
      redeem: record('redeem', Buffer.of(7)),
    },
    farcasterLogins: { begin: record('begin', 'the-challenge') },
    deviceRequests: {
      isNeeded: async (user) => user === 'ann' && isNeeded,
      request: async (...given) => (calls.push(['request', ...given.map(withoutClaims)]), wait),
    },
    devices: { recordUse: async (user, key) => user === 'ann' && key === 'laptop' && isKnown },
    passkeys: { list: async (user) => (user === 'ann' ? passkeys.map(({ id }) => Buffer.from(id)) : []) },
  }
}

beforeEach(() => {
  ;[calls, isNeeded, isKnown, passkeys, hasWallet, isPasskeyRight] = [[], true, false, [], true, true]
  wait = { match: '42', opensAt }
  method = { id: 'AAAA', method: 'passkey' }
  proofs.required.length = 0
})
afterAll(() => endpoints.close())

const post = (path: string, body: object = {}, claims?: object | null) =>
  endpoints.post(`/shares/v1/${path}`, body, claims)
const owner = { user: 'ann', key: 'laptop' }
const phone = { key: 'phone' }
const begun = { projectId, origin }
const farcaster = { challenge: bytes(32), authChallenge: bytes(32), message: 'the message', signature: '0xabcd' }
const assertion = { id: 'AAAA', authenticatorData: 'AQID', clientDataJSON: 'BAUG', signature: 'BwgJ' }

test.each([
  ['links', { ...begun, email: 'ann@example.org' }, 'proof'],
  ['links/state', { id: '0' }, 'proof'],
  ['social/begin', { ...begun, provider: 'google' }, 'proof'],
  ['farcaster/begin', begun, 'proof'],
  ['social/redeem', { id: '0', code: '12345678' }, 'token'],
  ['identity/farcaster', farcaster, 'token'],
  ['devices/state', {}, 'token'],
  ['devices/waiting', {}, 'token'],
  ['devices/approve', { id: '0', match: '42' }, 'token'],
  ['devices/stop', { id: '0' }, 'token'],
  ['devices/list', {}, 'token'],
  ['devices/remove', { key: tablet }, 'token'],
  ['passkeys', { id: 'AAAA', publicKey: 'AAAA' }, 'token'],
  ['devices/passkey/challenge', {}, 'token'],
  ['devices/passkey', assertion, 'token'],
])('a request to %s without a login is refused', async (path, body, field) => {
  expect(await post(path, body, null)).toMatchObject(createRefusal(401, field))
  expect(calls).toEqual([])
})

test.each([
  ['devices/waiting', {}],
  ['devices/approve', { id: '0', match: '42' }],
  ['devices/stop', { id: '0' }],
  ['devices/list', {}],
  ['devices/remove', { key: tablet }],
  ['passkeys', { id: 'AAAA', publicKey: 'AAAA' }],
  ['devices/passkey/challenge', {}],
  ['devices/passkey', assertion],
])('a request to %s needs an approved device [K-11]', async (path, body) => {
  expect(await post(path, body, { key: 'stranger' })).toMatchObject(createRefusal(403, 'device'))
  expect(calls).toEqual([])
})

describe('a mailed link', () => {
  const asked = { ...begun, email: 'ann@example.org' }

  test('is for the key of the device, and names its source', async () => {
    expect(await post('links', asked)).toEqual({ status: 200, body: { id: 'the-id', match: '42' } })
    expect((await post('links', { ...asked, purpose: 'contact' }, phone)).status).toBe(200)
    expect((await post('links', { ...asked, purpose: 'device' })).status).toBe(200)
    const sent = { email: asked.email, key: 'laptop', origin, client: '192.168.0.7', browser, locale: 'en' }
    expect(calls).toEqual([
      ['send', sent],
      ['send', { ...sent, key: 'phone', purpose: 'contact' }],
      ['send', { ...sent, purpose: 'device' }],
    ])
  })

  test('is not sent for a foreign origin or a request of another form', async () => {
    expect(await post('links', { ...asked, origin: 'https://evil.example' })).toMatchObject(
      createRefusal(403, 'origin'),
    )
    expect(await post('links', { ...asked, origin: longOrigin })).toMatchObject(createRefusal(400, 'origin'))
    expect(await post('links', { ...asked, email: 'a'.repeat(255) })).toMatchObject(createRefusal(400, 'email'))
    expect(await post('links', { ...asked, projectId: 'a'.repeat(65) })).toMatchObject(createRefusal(400, 'projectId'))
    expect(await post('links', { ...asked, purpose: 'other' })).toMatchObject(createRefusal(400, 'purpose'))
    expect(calls).toEqual([])
  })

  test('has a state for the key of its device', async () => {
    expect(await post('links/state', { id: 'the-id' })).toEqual({ status: 200, body: { state: 'waiting' } })
    expect(calls).toEqual([['state', 'the-id', 'laptop']])
    expect(await post('links/state', { id: 'a'.repeat(37) })).toMatchObject(createRefusal(400, 'id'))
  })
})

describe('a device that waits', () => {
  test('reads its state, and known devices decide on it', async () => {
    expect(await post('devices/state', {}, { key: 'stranger' })).toEqual({ status: 200, body: { state: 'waiting' } })
    const devices = [{ id: 'the-id', browser, place: 'local', at: 1, opensAt }]
    expect(await post('devices/waiting')).toEqual({ status: 200, body: { devices } })
    expect(await post('devices/approve', { id: 'the-id', match: '42' })).toEqual({ status: 200, body: {} })
    expect(await post('devices/stop', { id: 'the-id' })).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([
      ['state', { user: 'ann', key: 'stranger' }],
      ['list', 'ann'],
      ['approve', 'ann', { id: 'the-id', match: '42' }],
      ['stop', 'ann', 'the-id'],
    ])
  })

  test('is approved by two digits only', async () => {
    for (const match of ['4', '423', 'ab', ' 42']) {
      expect(await post('devices/approve', { id: '0', match })).toMatchObject(createRefusal(400, 'match'))
    }
    expect(await post('devices/approve', { id: 'a'.repeat(37), match: '42' })).toMatchObject(createRefusal(400, 'id'))
    expect(await post('devices/stop', { id: 'a'.repeat(37) })).toMatchObject(createRefusal(400, 'id'))
  })
})

describe('the list of devices', () => {
  const removalOf = (key: string, by: string) => [
    ['remove', { user: 'ann', key }],
    ['revoke', 'ann', key],
    ['device revoked', 'POST', { user: 'ann', key: by, about: key }],
  ]

  test('names the device that reads it', async () => {
    const listed = ['laptop', tablet, phoneKey].map((key) => ({ key, since: 3, current: key === 'laptop' }))
    expect(await post('devices/list')).toEqual({ status: 200, body: { devices: listed } })
  })

  test('loses a new device without a proof, and an established one with a proof [C-05] [C-08]', async () => {
    expect(await post('devices/remove', { key: phoneKey }, phone)).toEqual({ status: 200, body: {} })
    expect(calls).toEqual(removalOf(phoneKey, 'phone'))
    calls = []
    const proven = { key: tablet, proof: testProof }
    expect(await post('devices/remove', proven, phone)).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await post('devices/remove', { key: tablet })).toMatchObject(createRefusal(401, 'wallet'))
    expect(calls).toEqual([])
    expect((await post('devices/remove', proven)).status).toBe(200)
    expect(calls).toEqual(removalOf(tablet, 'laptop'))
    expect(proofs.required.at(-1)).toEqual(['ann laptop', { purpose: 'remove-device', key: tablet }])
  })

  test('loses an established device without a proof if it removes itself', async () => {
    expect((await post('devices/remove', { key: tablet }, { key: tablet })).status).toBe(200)
    expect([calls, proofs.required]).toEqual([removalOf(tablet, tablet), []])
  })

  test('of another user does not change', async () => {
    expect((await post('devices/remove', { key: tablet }, { user: 'ben' })).status).toBe(200)
    expect((await post('devices/remove', { key: bytes(32) })).status).toBe(200)
    expect(await post('devices/remove', { key: bytes(31) })).toMatchObject(createRefusal(400, 'key'))
    expect(await post('devices/remove', { key: `${tablet}=` })).toMatchObject(createRefusal(400, 'key'))
    expect(calls).toEqual([])
  })
})

describe('a passkey that approves devices', () => {
  const body = { id: 'AAAA', publicKey: bytes(91), proof: testProof }
  const passkey = { id: Buffer.from('AAAA', 'base64url'), publicKey: Buffer.from(body.publicKey, 'base64url') }

  test('is added by an established device, with a proof for this key [C-08]', async () => {
    expect(await post('passkeys', body, phone)).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await post('passkeys', { ...body, proof: undefined })).toMatchObject(createRefusal(401, 'wallet'))
    expect(await post('passkeys', { ...body, id: 'A'.repeat(5) })).toMatchObject(createRefusal(400, 'id'))
    expect(await post('passkeys', { ...body, publicKey: 'A'.repeat(5) })).toMatchObject(createRefusal(400, 'publicKey'))
    expect((await post('passkeys', {})).status).toBe(400)
    expect(calls).toEqual([])
    expect(await post('passkeys', body)).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([
      ['add', 'ann', passkey],
      ['passkey added', 'POST', owner],
    ])
    expect(proofs.required.at(-1)).toEqual(['ann laptop', { purpose: 'passkey', ...passkey }])
  })

  test('is a recovery method of the wallet', async () => {
    for (const other of [
      { ...method, id: 'BBBB' },
      { ...method, method: 'password' as const },
    ]) {
      method = other
      expect(await post('passkeys', body)).toMatchObject(createRefusal(404, 'id'))
    }
    expect(calls).toEqual([])
  })

  test('gets a challenge for its device, with the input that the frame computes', async () => {
    const input = createHash('sha256').update('rek-wrap-v1').update(walletId).digest('base64url')
    expect(await post('devices/passkey/challenge', {}, phone)).toEqual({
      status: 200,
      body: { challenge: 'AQID', input },
    })
    expect(calls).toEqual([['challenge', 'ann', 'phone']])
    hasWallet = false
    expect(await post('devices/passkey/challenge')).toMatchObject(createRefusal(404, 'user'))
  })

  test('signs the purpose and the key of the device', () => {
    expect(Buffer.from(devicePasskeyPrefix('AQID'))).toEqual(Buffer.from('latchkey/device-passkey/1\u0001\u0002\u0003'))
  })

  test('approves its device if the assertion is right, and both results are recorded', async () => {
    const parsed = Object.fromEntries(
      Object.entries(assertion).map(([name, text]) => [name, Buffer.from(text, 'base64url')]),
    )
    const facts = { user: 'ann', key: 'phone' }
    expect(await post('devices/passkey', assertion, phone)).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([
      ['verify', 'ann', 'phone', parsed],
      ['approve', facts],
      ['passkey verified', 'POST', facts],
    ])
    ;[calls, isPasskeyRight] = [[], false]
    expect(await post('devices/passkey', assertion, phone)).toMatchObject(createRefusal(401, 'passkey'))
    expect(calls.slice(1)).toEqual([['passkey refused', 'POST', facts]])
  })
})

describe('a login at a provider', () => {
  test('begins for the key of the device, with its source', async () => {
    const begin = (given = {}) => post('social/begin', { ...begun, provider: 'google', ...given })
    expect(await begin()).toEqual({ status: 200, body: { id: 'the-id', uri: 'https://provider.example/' } })
    expect(calls).toEqual([['begin', { provider: 'google', key: 'laptop', origin, browser, place: 'local' }]])
    expect(await begin({ origin: 'https://evil.example' })).toMatchObject(createRefusal(403, 'origin'))
    expect(await begin({ provider: 'myspace' })).toMatchObject(createRefusal(400, 'provider'))
    expect(await begin({ projectId: 'a'.repeat(65) })).toMatchObject(createRefusal(400, 'projectId'))
    expect(await begin({ origin: longOrigin })).toMatchObject(createRefusal(400, 'origin'))
    expect(calls).toHaveLength(1)
  })

  test('approves the device by the code of its last page', async () => {
    expect(await post('social/redeem', { id: 'the-id', code: '12345678' })).toEqual({ status: 200, body: {} })
    expect(calls).toEqual([
      ['redeem', { id: 'the-id', code: '12345678', key: 'laptop' }],
      ['approve', owner, Buffer.of(7)],
    ])
    for (const code of ['1234567', '123456789', '1234567a']) {
      expect(await post('social/redeem', { id: '0', code })).toMatchObject(createRefusal(400, 'code'))
    }
    expect(await post('social/redeem', { id: 'a'.repeat(37), code: '12345678' })).toMatchObject(
      createRefusal(400, 'id'),
    )
  })
})

describe('a login with Farcaster', () => {
  test('begins with a challenge for the key of the device, if it is set up', async () => {
    expect(await post('farcaster/begin', begun)).toEqual({ status: 200, body: { challenge: 'the-challenge' } })
    expect(calls).toEqual([['begin', 'laptop']])
    expect(await post('farcaster/begin', { ...begun, origin: 'https://evil.example' })).toMatchObject(
      createRefusal(403, 'origin'),
    )
    expect(await post('farcaster/begin', { ...begun, projectId: 'a'.repeat(65) })).toMatchObject(
      createRefusal(400, 'projectId'),
    )
    expect(await post('farcaster/begin', { ...begun, origin: longOrigin })).toMatchObject(createRefusal(400, 'origin'))
    const without = await mountTestEndpoints(identityEndpoints({ ...identity, farcasterLogins: undefined }))
    onTestFinished(() => without.close())
    expect(await without.post('/shares/v1/farcaster/begin', begun)).toMatchObject(createRefusal(400, 'provider'))
  })

  test('lets a device of a wallet wait for its second proof [K-11]', async () => {
    const waiting = { state: 'waiting', match: '42', opensAt, hasPasskey: false }
    expect(await post('identity/farcaster', farcaster)).toEqual({ status: 200, body: waiting })
    const { challenge: sharesChallenge, ...login } = farcaster
    expect(calls).toEqual([
      ['farcaster', owner, { ...login, sharesChallenge }],
      ['request', owner, { browser, place: 'local' }],
    ])
    passkeys = [{ id: 'one' }]
    expect((await post('identity/farcaster', farcaster)).body).toEqual({ ...waiting, hasPasskey: true })
  })

  test('approves a known device, one whose wait is over, and one of a user without a wallet', async () => {
    const approved = { status: 200, body: { state: 'approved' } }
    isKnown = true
    expect(await post('identity/farcaster', farcaster)).toEqual(approved)
    ;[isKnown, isNeeded] = [false, false]
    expect(await post('identity/farcaster', farcaster)).toEqual(approved)
    expect(calls.filter(([name]) => name === 'request')).toEqual([])
    ;[isNeeded, wait] = [true, undefined]
    expect(await post('identity/farcaster', farcaster)).toEqual(approved)
  })

  test('of another form is refused', async () => {
    const wrong = [
      { signature: 'abcd' },
      { signature: '0xabc' },
      { signature: `0x${'ab'.repeat(4_096)}` },
      { signature: '0xabcd ' },
    ]
    for (const given of wrong) {
      expect(await post('identity/farcaster', { ...farcaster, ...given })).toMatchObject(
        createRefusal(400, 'signature'),
      )
    }
    const long = { ...farcaster, message: 'a'.repeat(4_097) }
    expect(await post('identity/farcaster', long)).toMatchObject(createRefusal(400, 'message'))
    expect(await post('identity/farcaster', { ...farcaster, challenge: '!' })).toMatchObject(
      createRefusal(400, 'challenge'),
    )
    expect(calls).toEqual([])
  })
})

test('the page of a link asks for the digits of the request that it shows [K-11]', async () => {
  const app = Fastify({ logger: false })
  onTestFinished(() => app.close())
  const request = { purpose: 'device', origin: 'https://app.example', browser, place: 'DE', at: 0 } as const
  let isOpen = true
  serveDevicePage(app, {
    findRequest: async ({ id, secret }) => (isOpen && id === 'the-id' && secret === 'right' ? request : undefined),
    approve: async (...given) => (calls.push(['approve', ...given]), given[0].match === '42'),
  })
  const enter = async (match: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `id=the-id&secret=right&match=${match}`
    return (await app.inject({ method: 'POST', url: devicePath, body, headers })).body
  }
  const { body, headers } = await app.inject({ url: `${devicePath}?id=the-id&secret=right` })
  for (const text of ['Approve a new device?', 'https://app.example', 'Germany', 'value="the-id"', 'value="right"']) {
    expect(body).toContain(text)
  }
  expect(body).not.toContain('aria-invalid="true"')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect((await app.inject({ url: `${devicePath}?id=the-id&secret=wrong` })).body).toContain('already used')
  expect(calls).toEqual([])
  const wrong = await enter('41')
  for (const text of ['aria-invalid="true"', 'value="the-id"', 'value="right"']) expect(wrong).toContain(text)
  expect(await enter('42')).toContain('Return to the other window')
  isOpen = false
  expect(await enter('41')).toContain('already used')
  expect(calls[1]).toEqual(['approve', { id: 'the-id', secret: 'right', match: '42' }])
})
