import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, type JWTVerifyGetKey } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyAccessToken, type AccessClaims } from './verifyAccessToken.ts'

const now = Date.UTC(2026, 10, 22)
const seconds = now / 1_000
const issuer = 'https://auth.example'
const ended = expect.objectContaining({ status: 401, field: 'token' })

const payload = {
  sub: 'ann',
  iss: issuer,
  aud: 'auth',
  iat: seconds - 60,
  exp: seconds + 60,
  cnf: { jkt: 'laptop' },
  amr: ['email', 'passkey'],
  sid: 'session',
  auth_time: seconds - 90,
}
type Payload = { readonly [claim: string]: unknown }

let sign: (claims: Payload, header?: object) => Promise<string>
let keySet: JWTVerifyGetKey

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  keySet = createLocalJWKSet({ keys: [await exportJWK(publicKey)] })
  sign = (claims, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header }).sign(privateKey)
})

const verify = (token: string, key = 'laptop', keys: JWTVerifyGetKey = keySet): Promise<AccessClaims> =>
  verifyAccessToken(token, key, { keySet: keys, issuer, audience: 'auth', clock: { now: () => now } })

const without = (claim: string): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => name !== claim))

describe('an access token', () => {
  test('yields the login, the session and its times [A-17]', async () => {
    expect(await verify(await sign(payload))).toEqual({
      user: 'ann',
      key: 'laptop',
      methods: ['email', 'passkey'],
      session: 'session',
      begunAt: now - 90_000,
      removedAt: undefined,
    })
    expect(await verify(await sign({ ...payload, removed_at: 7 }))).toMatchObject({ removedAt: 7 })
  })

  test('is refused from its expiry on', async () => {
    await expect(verify(await sign({ ...payload, exp: seconds }))).rejects.toEqual(ended)
    await expect(verify(await sign({ ...payload, exp: seconds + 1 }))).resolves.toBeDefined()
  })

  test('is refused with another key than its own [A-17]', async () => {
    await expect(verify(await sign(payload), 'phone')).rejects.toEqual(ended)
  })

  test.each<[string, Payload]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another service', { aud: 'shares' }],
    ['no key', { cnf: undefined }],
    ['a key of null', { cnf: null }],
    ['a key that is text', { cnf: 'laptop' }],
    ['methods that are not a list', { amr: 'email' }],
    ['a method that is not text', { amr: ['email', 7] }],
    ['a session that is not text', { sid: 7 }],
    ['a login time that is text', { auth_time: String(seconds) }],
    ['a removal time that is text', { removed_at: String(now) }],
    ['a removal time of null', { removed_at: null }],
  ])('is refused with %s', async (_, claims) => {
    await expect(verify(await sign({ ...payload, ...claims }))).rejects.toEqual(ended)
  })

  test.each(['sub', 'exp', 'iat', 'amr', 'sid', 'auth_time', 'iss', 'aud'])(
    'is refused without the claim %s',
    async (claim) => {
      await expect(verify(await sign(without(claim)))).rejects.toEqual(ended)
    },
  )

  test('without a key is refused even if the request proved none', async () => {
    const claims = verifyAccessToken(await sign(without('cnf')), 'undefined', {
      keySet,
      issuer,
      audience: 'auth',
      clock: { now: () => now },
    })
    await expect(claims).rejects.toEqual(ended)
  })

  test.each([{ typ: 'JWT' }, { typ: 'dpop+jwt' }, { typ: undefined }])(
    'is refused with the header %o, which belongs to other tokens',
    async (header) => {
      await expect(verify(await sign(payload, header))).rejects.toEqual(ended)
    },
  )

  test('is refused with another algorithm, even if its key is known', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES384', { extractable: true })
    const token = await new SignJWT(payload).setProtectedHeader({ alg: 'ES384', typ: 'at+jwt' }).sign(privateKey)
    const keys = createLocalJWKSet({ keys: [await exportJWK(publicKey)] })
    await expect(verify(token, 'laptop', keys)).rejects.toEqual(ended)
  })

  test('with a changed signature or of another form is refused', async () => {
    const token = await sign(payload)
    const [header, claims] = token.split('.')
    for (const wrong of ['', 'token', `${header}.${claims}.`, `${header}.${claims}.${'A'.repeat(86)}`]) {
      await expect(verify(wrong)).rejects.toEqual(ended)
    }
  })

  test('is not refused but unchecked while the keys cannot be loaded', async () => {
    const outage = async () => Promise.reject(new Error('unreachable'))
    await expect(verify(await sign(payload), 'laptop', outage)).rejects.toMatchObject({ status: 503, field: 'token' })
  })
})
