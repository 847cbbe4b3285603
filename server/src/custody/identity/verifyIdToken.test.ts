import { createHash, generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, exportJWK, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { computeNonce, verifyIdToken, type IdTokenChecks } from './verifyIdToken.ts'

const now = Date.UTC(2026, 10, 30)
const seconds = now / 1_000
const [own, stranger] = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const [issuer, clientId, nonce, accessToken] = ['https://provider.example', 'latchkey', 'the-nonce', 'the-access-token']
const good = { iss: issuer, aud: clientId, sub: 'ann', nonce, iat: seconds, exp: seconds + 600 }
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

let checks: IdTokenChecks

beforeAll(async () => {
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(own?.publicKey ?? expect.fail())), alg: 'ES256' }] })
  checks = { issuer, clientId, nonce, keys, clock: { now: () => now } }
})

const sign = (claims: JWTPayload, key = own): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key?.privateKey ?? expect.fail())
const verify = async (claims: object, given: Partial<IdTokenChecks> = {}) =>
  verifyIdToken(await sign({ ...good, ...claims }), { ...checks, ...given })
const without = (name: keyof typeof good) => ({ [name]: undefined })

describe('an ID token', () => {
  test('names the subject of its login, with all claims', async () => {
    const claims = { ...good, email: 'ann@example.org' }
    expect(await verify(claims)).toEqual({ subject: 'ann', claims })
  })

  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', without('iss')],
    ['another audience', { aud: 'other' }],
    ['no audience', without('aud')],
    ['several audiences and no authorised party', { aud: [clientId, 'other'] }],
    ['another authorised party', { azp: 'other' }],
    ['several audiences and another authorised party', { aud: [clientId, 'other'], azp: 'other' }],
    ['another nonce', { nonce: 'the-nonce2' }],
    ['a nonce that is no text', { nonce: [nonce] }],
    ['no nonce', without('nonce')],
    ['no subject', without('sub')],
    ['an empty subject', { sub: '' }],
    ['a subject of 256 characters', { sub: 'a'.repeat(256) }],
    ['no expiry', without('exp')],
    ['an expiry a minute ago', { exp: seconds - 60, iat: seconds - 600 }],
    ['no issue time', without('iat')],
    ['an issue time in more than a minute', { iat: seconds + 61, exp: seconds + 600 }],
    ['an age of more than ten minutes', { iat: seconds - 601 }],
  ])('with %s is rejected [A-10]', async (_what, claims) => {
    await expect(verify(claims)).rejects.toThrow(Error)
  })

  test.each([
    ['one audience in a list', { aud: [clientId] }],
    ['several audiences and this authorised party', { aud: [clientId, 'other'], azp: clientId }],
    ['this authorised party', { azp: clientId }],
    ['a subject of 255 characters', { sub: 'a'.repeat(255) }],
    ['an expiry less than a minute ago', { exp: seconds - 59, iat: seconds - 600 }],
    ['an issue time in a minute', { iat: seconds + 60, exp: seconds + 600 }],
    ['an age of ten minutes', { iat: seconds - 600 }],
  ])('with %s is accepted', async (_what, claims) => {
    expect(await verify(claims)).toMatchObject({ subject: 'sub' in claims ? claims.sub : 'ann' })
  })

  test('belongs to the access token that came with it, if it names one [A-10]', async () => {
    const hash = hashOf(accessToken)
    await expect(verify({ at_hash: hash }, { accessToken })).resolves.toHaveProperty('subject', 'ann')
    await expect(verify({}, { accessToken })).resolves.toHaveProperty('subject', 'ann')
    await expect(verify({ at_hash: 'other' })).resolves.toHaveProperty('subject', 'ann')
    for (const wrong of [hashOf('other'), hash.slice(1), 7, '']) {
      await expect(verify({ at_hash: wrong }, { accessToken })).rejects.toThrow('another access token')
    }
  })

  test('without a signature of the provider is rejected [A-10]', async () => {
    const hmac = new SignJWT(good).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(JSON.stringify(good)))
    for (const token of [await sign(good, stranger), new UnsecuredJWT(good).encode(), await hmac, '']) {
      await expect(verifyIdToken(token, checks)).rejects.toThrow(Error)
    }
  })

  test('of more than 8,192 characters is rejected', async () => {
    const lengthOf = async (count: number) => (await sign({ ...good, picture: 'a'.repeat(count) })).length
    const rest = 8_192 - (await lengthOf(0))
    // Base64url has four characters for three bytes.
    const most = Math.floor((rest * 3) / 4)
    expect(await lengthOf(most)).toBeLessThanOrEqual(8_192)
    await expect(verify({ picture: 'a'.repeat(most) })).resolves.toHaveProperty('subject', 'ann')
    await expect(verify({ picture: 'a'.repeat(most + 3) })).rejects.toThrow('too long')
  })
})

test('the nonce of a login commits to the key of the frame and to its random bytes', () => {
  const random = Buffer.alloc(32, 7)
  expect(computeNonce('key', random)).toEqual(createHash('sha256').update('key').update(random).digest())
  expect(computeNonce('other', random)).not.toEqual(computeNonce('key', random))
})
