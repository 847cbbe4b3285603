import { createHmac, randomBytes } from 'node:crypto'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLoginClient } from '../../testing/loginClient.ts'
import { secretOf } from '../../testing/visitProvider.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { accessToken, startLyingProvider, type TokenForge, type LyingProvider } from '../../testing/lyingProvider.ts'
import { computeNonce, verifyIdToken } from '../../custody/identity/verifyIdToken.ts'
import { createRemoteKeySet } from '../../custody/requests/remoteKeySet.ts'

const projectId = 'ab'.repeat(16)
const clientId = 'latchkey'
const minute = 60

/** Invalid ID tokens, by their fault. */
const lies: Readonly<Record<string, (forge: TokenForge) => Promise<string> | string>> = {
  'no signature': ({ claims }) => `${encodePart({ alg: 'none', kid: 'one' })}.${encodePart(claims)}.`,
  'the public key as HMAC secret': ({ claims, publicPem }) => {
    const text = `${encodePart({ alg: 'HS256', kid: 'one' })}.${encodePart(claims)}`
    return `${text}.${createHmac('sha256', publicPem).update(text).digest('base64url')}`
  },
  'another issuer': ({ claims, sign }) => sign({ ...claims, iss: 'https://evil.example' }),
  'another audience': ({ claims, sign }) => sign({ ...claims, aud: 'somebody-else' }),
  'two audiences and no authorised party': ({ claims, sign }) => sign({ ...claims, aud: [clientId, 'somebody-else'] }),
  'another authorised party': ({ claims, sign }) => sign({ ...claims, azp: 'somebody-else' }),
  'another nonce': ({ claims, sign }) => sign({ ...claims, nonce: 'x'.repeat(43) }),
  'no nonce': ({ claims, sign }) => sign({ ...claims, nonce: undefined }),
  'an expiry in the past': ({ claims, sign }) => sign({ ...claims, exp: Number(claims.iat) - minute - 5 }),
  'an issue time in the future': ({ claims, sign }) => sign({ ...claims, iat: Number(claims.iat) + minute + 5 }),
  'an age of a week': ({ claims, sign }) => sign({ ...claims, iat: Number(claims.iat) - 7 * 24 * 3_600 }),
  'no issue time': ({ claims, sign }) => sign({ ...claims, iat: undefined }),
  'no expiry': ({ claims, sign }) => sign({ ...claims, exp: undefined }),
  'another signature': async ({ claims, sign }) => {
    const [head, body, signature = ''] = (await sign(claims)).split('.')
    return `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  },
  'another key under a known key id': ({ claims, stranger }) => signedBy(stranger, 'one', claims),
  'an unknown key': ({ claims, stranger, strangerKid }) => signedBy(stranger, strangerKid, claims),
  'another access token': ({ claims, sign }) => sign({ ...claims, at_hash: randomBytes(16).toString('base64url') }),
  nobody: ({ claims, sign }) => sign({ ...claims, sub: undefined }),
  'an empty subject': ({ claims, sign }) => sign({ ...claims, sub: '' }),
}

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const signedBy = (key: TokenForge['stranger'], kid: string, claims: TokenForge['claims']): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key)

describe('ID tokens', () => {
  let mail: LocalMail
  let provider: LyingProvider
  let services: LoginServices
  let later = 0
  const clock = { now: () => Date.now() + later }

  beforeAll(async () => {
    mail = await startMail()
    provider = await startLyingProvider({ clientId, now: clock.now })
    const socials = { google: { clientId, clientSecret: 'secret', issuer: provider.issuer } }
    services = await startLoginServices({ mailUrl: mail.url, clock, socials })
  })
  afterAll(async () => {
    await services.close()
    await provider.close()
    await mail.close()
  })
  beforeEach(() => {
    later += 10_000
    provider.lie(({ sign, claims }) => sign(claims))
    provider.name((one) => [one])
  })

  async function logIn() {
    const client = await createLoginClient(services.authUrl, { clock })
    const nonce = computeNonce(client.key, randomBytes(32)).toString('base64url')
    const requested = { provider: 'google', projectId, origin: 'http://app.localhost', nonce }
    const { body } = await client.request('POST', '/auth/v1/social/begin', requested)
    const { id, uri } = body as { id: string; uri: string }
    const state = new URL(uri).searchParams.get('state') ?? ''
    const callback = `${services.authUrl}/auth/v1/social/google/callback`
    // The provider copies the nonce from the code into the token.
    const page = await (await fetch(`${callback}?${new URLSearchParams({ code: nonce, state })}`)).text()
    const secret = secretOf(page)
    const requests = { id, ...(secret !== undefined && { secret }) }
    return { page, response: await client.request('POST', '/auth/v1/social/redeem', requests) }
  }

  test('that are valid begin a session', async () => {
    const { page, response } = await logIn()
    expect(page).toContain('You are logged in')
    expect(response.status).toBe(200)
  })

  test.each(Object.keys(lies))('with %s are rejected [A-10]', async (what) => {
    const lie = lies[what] ?? expect.fail('no such lie')
    provider.lie(lie)
    const { page, response } = await logIn()
    expect(page).toContain('The login was not completed')
    expect(response).toMatchObject({ status: 401, body: { reasons: [{ field: 'login' }] } })
  })

  test.each(Object.keys(lies))("with %s are rejected by the share store's own check [A-10] [K-11]", async (what) => {
    const { issuer } = provider
    const keys = createRemoteKeySet(async () => `${issuer}/keys`, clock)
    const check = async () => {
      const token = await provider.token('the-nonce')
      return verifyIdToken(token, { issuer, clientId, nonce: 'the-nonce', accessToken, keys, clock })
    }
    expect(await check()).toMatchObject({ subject: 'somebody' })
    provider.lie(lies[what] ?? expect.fail('no such lie'))
    await expect(check()).rejects.toThrow(Error)
  })

  test.each([
    { iat: 55, exp: 600 },
    { iat: -100, exp: -55 },
  ])('are accepted from a clock that is nearly a minute off: %j [A-10]', async ({ iat, exp }) => {
    provider.lie(({ sign, claims }) => {
      const now = Number(claims.iat)
      return sign({ ...claims, iat: now + iat, exp: now + exp })
    })
    expect((await logIn()).response.status).toBe(200)
  })

  test('without a key id are rejected if the provider has two keys [A-10]', async () => {
    provider.name((one) => [one, { ...one, kid: 'other' }])
    later += 11 * 60_000
    provider.lie(({ sign, claims }) => sign(claims, { kid: undefined }))
    expect((await logIn()).response.status).toBe(401)
    provider.name((one) => [one])
    later += 11 * 60_000
    expect((await logIn()).response.status).toBe(200)
  })

  test('with unknown key ids reload the keys at most once a minute [A-10]', async () => {
    later += 2 * 60_000
    await logIn()
    const before = provider.requested.keys
    provider.lie(({ claims, stranger, strangerKid }) => signedBy(stranger, strangerKid, claims))
    for (let count = 0; count < 5; count += 1) await logIn()
    expect(provider.requested.keys - before).toBeLessThanOrEqual(1)
    later += 61_000
    await logIn()
    expect(provider.requested.keys - before).toBeLessThanOrEqual(2)
    expect(provider.requested.keys - before).toBeGreaterThan(0)
  })
})
