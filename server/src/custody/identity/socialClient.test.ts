import { createHash, generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify, type JWTPayload } from 'jose'
import { AuthorizationResponseError } from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startLyingProvider, type LyingProvider } from '../../testing/lyingProvider.ts'
import { accountFromClaims } from './providerAccount.ts'
import { createSocialClients } from './socialClient.ts'
import type { SocialProvider, SocialSettings } from './socialProviders.ts'

const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const privateKey = apple.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const login = {
  state: 'the-state',
  nonce: 'the-nonce',
  verifier: 'v'.repeat(43),
  redirectUri: 'https://auth.example/cb',
}
const hour = 3_600_000

let oidc: LyingProvider
/** A provider without ID tokens, which records the requests that it gets. */
let oauth: Server
let oauthUrl = ''
let requests: { path: string; authorization: string | undefined; agent: string | undefined; body: URLSearchParams }[]
let responses: Record<string, unknown>
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  oidc = await startLyingProvider({ clientId: 'latchkey', now: clock.now })
  oauth = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { authorization, 'user-agent': agent } = request.headers
    requests.push({ path: request.url ?? '', authorization, agent, body: new URLSearchParams(body) })
    const content = responses[request.url ?? '']
    response.writeHead(content === undefined ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(content ?? {}))
  })
  await new Promise<void>((resolve) => void oauth.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  oauthUrl = `http://127.0.0.1:${(oauth.address() as AddressInfo).port}`
})
beforeEach(() => {
  requests = []
  responses = { '/token': { access_token: 'the-access-token', token_type: 'bearer' } }
  oidc.lie(({ sign, claims }) => sign(claims))
})
afterAll(async () => {
  await oidc.close()
  await new Promise((resolve) => {
    oauth.close(resolve)
    oauth.closeAllConnections()
  })
})

const createClient = (name: SocialProvider, settings: Partial<SocialSettings> = {}) =>
  createSocialClients({ [name]: { clientId: 'latchkey', ...settings } }, clock).get(name) ?? expect.fail('no client')
const ofOidc = (name: SocialProvider = 'google', settings: Partial<SocialSettings> = {}) =>
  createClient(name, { clientSecret: 'the-secret', issuer: oidc.issuer, ...settings })
const ofOauth = (name: SocialProvider, settings: Partial<SocialSettings> = {}) =>
  createClient(name, {
    clientSecret: 'the-secret',
    authorizationUrl: `${oauthUrl}/authorize`,
    tokenUrl: `${oauthUrl}/token`,
    userUrl: `${oauthUrl}/user`,
    ...settings,
  })
const createCallback = (parameters: object = {}) =>
  new URLSearchParams({ code: login.nonce, state: login.state, ...parameters })

test('only configured providers have a client', () => {
  const clients = createSocialClients({ google: { clientId: 'a' }, x: { clientId: 'b' } }, clock)
  expect([...clients.keys()]).toEqual(['google', 'x'])
})

describe('the address of a login', () => {
  const challenge = createHash('sha256').update(login.verifier).digest('base64url')
  const common = {
    client_id: 'latchkey',
    redirect_uri: login.redirectUri,
    response_type: 'code',
    state: login.state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }

  test('commits to the state, the verifier and the nonce of the login [A-12]', async () => {
    const url = await ofOidc().begin(login)
    expect(url.origin + url.pathname).toBe(`${oidc.issuer}/authorize`)
    const scope = 'openid email profile'
    expect(Object.fromEntries(url.searchParams)).toEqual({ ...common, scope, nonce: login.nonce })
  })

  test('asks Apple for a form, and providers without ID tokens for no nonce', async () => {
    const ofApple = await createClient('apple', {
      authorizationUrl: 'https://a.example/',
      tokenUrl: 'https://a.example/t',
    }).begin(login)
    expect(ofApple.searchParams.get('response_mode')).toBe('form_post')
    const ofGithub = await createClient('github').begin(login)
    expect(ofGithub.origin + ofGithub.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(ofGithub.searchParams)).toEqual({ ...common, scope: 'read:user user:email' })
  })

  test('comes from the configuration, the defaults of the provider, or its discovery', async () => {
    const addressOf = async (name: SocialProvider, settings: Partial<SocialSettings>) => {
      const { origin, pathname } = await createClient(name, settings).begin(login)
      return origin + pathname
    }
    expect(await addressOf('facebook', {})).toBe('https://www.facebook.com/v23.0/dialog/oauth')
    expect(await addressOf('facebook', { authorizationUrl: 'https://own.example/a' })).toBe('https://own.example/a')
    // The default addresses belong to the default issuer only.
    expect(await addressOf('facebook', { issuer: oidc.issuer })).toBe(`${oidc.issuer}/authorize`)
    expect(await addressOf('google', { issuer: oidc.issuer, tokenUrl: 'https://own.example/t' })).toBe(
      `${oidc.issuer}/authorize`,
    )
    const both = { authorizationUrl: 'https://own.example/a', tokenUrl: 'https://own.example/t' }
    expect(await addressOf('google', { issuer: 'http://127.0.0.1:1', ...both })).toBe('https://own.example/a')
    await expect(addressOf('google', { issuer: 'http://127.0.0.1:1' })).rejects.toThrow('fetch failed')
  })

  test('is discovered at most once an hour', async () => {
    let found = 0
    const server = createServer((_request, response) => {
      found += 1
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` }))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const client = createClient('google', { issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    const begun = later
    for (const after of [0, hour - 1_000, hour + 1_000]) {
      later = begun + after
      await client.begin(login)
    }
    later = begun
    expect(found).toBe(2)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('the response of a provider with ID tokens', () => {
  test('is exchanged for the account of the token', async () => {
    oidc.lie(({ sign, claims }) => sign({ ...claims, email_verified: true, name: 'Ann' }))
    const account = { provider: 'google', subject: 'somebody', userName: 'Ann', email: 'a@example.org' }
    expect(await ofOidc().finish(createCallback(), login)).toEqual(account)
  })

  test('is rejected with another state, another nonce, or a token of a stranger [A-09] [A-10]', async () => {
    await expect(ofOidc().finish(createCallback({ state: 'other' }), login)).rejects.toThrow(
      'invalid response encountered',
    )
    await expect(ofOidc().finish(createCallback(), { ...login, nonce: 'other' })).rejects.toThrow(
      'unexpected JWT claim value',
    )
    oidc.lie(({ sign, claims }) => sign({ ...claims, aud: 'other' }))
    await expect(ofOidc().finish(createCallback(), login)).rejects.toThrow(Error)
    oidc.lie(() => 'no token')
    await expect(ofOidc().finish(createCallback(), login)).rejects.toThrow(Error)
  })

  test('that reports a refusal is an error with its reason', async () => {
    const refusal = new URLSearchParams({ error: 'access_denied', state: login.state })
    const error = await ofOidc()
      .finish(refusal, login)
      .catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(AuthorizationResponseError)
    expect(error).toMatchObject({ error: 'access_denied' })
  })

  test('is checked by the clock of the service', async () => {
    const before = later
    later += 7 * 24 * hour
    await expect(ofOidc().finish(createCallback(), login)).resolves.toHaveProperty('subject', 'somebody')
    later = before
  })
})

describe('the account of an ID token', () => {
  const accountOf = (claims: JWTPayload) => accountFromClaims('google', { subject: '1', claims })
  const email = 'ann@example.org'

  test('has an address only if the provider verified it [A-14]', () => {
    for (const verified of [true, 'true']) {
      expect(accountOf({ email, email_verified: verified, name: 'Ann' })).toEqual({
        provider: 'google',
        subject: '1',
        userName: 'Ann',
        email,
      })
    }
    for (const verified of [false, 'false', undefined, 1]) {
      expect(accountOf({ email, email_verified: verified, name: 'Ann' })).toEqual({
        provider: 'google',
        subject: '1',
        userName: 'Ann',
      })
    }
  })

  test('is named by its address if it has no usable name', () => {
    for (const name of [undefined, '', 7, 'a'.repeat(256)]) {
      expect(accountOf({ email, email_verified: true, name })).toMatchObject({ userName: email })
      expect(accountOf({ email, name })).toEqual({ provider: 'google', subject: '1' })
    }
    expect(accountOf({ email: 7, email_verified: true })).toEqual({ provider: 'google', subject: '1' })
  })
})

describe('the response of a provider without ID tokens', () => {
  test('of GitHub is exchanged for the account with its verified primary address', async () => {
    responses['/user'] = { id: 7, login: 'ann' }
    responses['/emails'] = [
      { email: 'other@example.org', primary: false, verified: true },
      { email: 'ann@example.org', primary: true, verified: true },
    ]
    const client = ofOauth('github', { emailsUrl: `${oauthUrl}/emails` })
    const account = { provider: 'github', subject: '7', userName: 'ann' }
    expect(await client.finish(createCallback(), login)).toEqual({ ...account, email: 'ann@example.org' })
    expect(requests.map(({ path }) => path)).toEqual(['/token', '/user', '/emails'])
    const [token, user] = requests
    expect(Object.fromEntries(token?.body ?? [])).toMatchObject({
      code: login.nonce,
      code_verifier: login.verifier,
      redirect_uri: login.redirectUri,
      client_id: 'latchkey',
      client_secret: 'the-secret',
    })
    expect([user?.authorization, user?.agent]).toEqual(['Bearer the-access-token', 'Latchkey'])
    responses['/emails'] = [{ email: 'ann@example.org', primary: true, verified: false }]
    expect(await client.finish(createCallback(), login)).toEqual(account)
    // The default address of the list belongs to the default address of the account.
    expect(await ofOauth('github').finish(createCallback(), login)).toEqual(account)
  })

  test('of X is exchanged with unencoded credentials in a header', async () => {
    responses['/user'] = { data: { id: '7', username: 'ann', confirmed_email: 'ann@example.org' } }
    const client = ofOauth('x', { clientId: 'latch_key', clientSecret: 'a-b_c' })
    const account = { provider: 'x', subject: '7', userName: 'ann', email: 'ann@example.org' }
    expect(await client.finish(createCallback(), login)).toEqual(account)
    expect(requests[0]?.authorization).toBe(`Basic ${Buffer.from('latch_key:a-b_c').toString('base64')}`)
    expect(requests[0]?.body.has('client_secret')).toBe(false)
  })

  test('of Discord has a verified address, or none', async () => {
    const account = { provider: 'discord', subject: '7', userName: 'ann' }
    const user = { id: '7', username: 'ann', email: 'ann@example.org' }
    for (const [given, email] of [
      [{ ...user, verified: true }, 'ann@example.org'],
      [{ ...user, verified: false }, undefined],
      [user, undefined],
      [{ ...user, email: null, verified: true }, undefined],
    ] as const) {
      responses['/user'] = given
      expect(await ofOauth('discord').finish(createCallback(), login)).toEqual({ ...account, ...(email && { email }) })
    }
  })

  test.each([
    ['github', { id: 0, login: 'ann' }],
    ['github', { id: '7', login: 'ann' }],
    ['github', { id: 7, login: '' }],
    ['x', { id: '7', username: 'ann' }],
    ['x', { data: { id: '', username: 'ann' } }],
    ['discord', { id: '7' }],
    ['discord', { id: 'a'.repeat(256), username: 'ann' }],
    ['discord', { id: '7', username: 'ann', verified: 'true' }],
  ] as const)('of %s with an unknown form is rejected: %j', async (name, user) => {
    responses['/user'] = user
    await expect(ofOauth(name).finish(createCallback(), login)).rejects.toThrow('unknown form')
  })

  test('is rejected with another state, or if the account cannot be read [A-09]', async () => {
    await expect(ofOauth('discord').finish(createCallback({ state: 'other' }), login)).rejects.toThrow(
      'invalid response encountered',
    )
    expect(requests).toEqual([])
    await expect(ofOauth('discord').finish(createCallback(), login)).rejects.toThrow('500')
  })
})

describe('the credentials of a client', () => {
  test('are signed for five minutes with the key of the team for Apple', async () => {
    const settings = { clientSecret: undefined, teamId: 'team', keyId: 'key', privateKey }
    const secret = async (given: object) => {
      requests = []
      // The provider has no ID token, which is an error after the request.
      const client = createClient('apple', {
        issuer: 'https://apple.example',
        authorizationUrl: `${oauthUrl}/a`,
        tokenUrl: `${oauthUrl}/token`,
        ...settings,
        ...given,
      })
      await expect(client.finish(createCallback(), login)).rejects.toThrow(Error)
      return requests[0]?.body.get('client_secret') ?? undefined
    }
    const token = (await secret({})) ?? expect.fail('no secret')
    const { payload, protectedHeader } = await jwtVerify(token, apple.publicKey, { currentDate: new Date(clock.now()) })
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'key' })
    const { iat = 0, ...claims } = payload
    expect(claims).toEqual({ iss: 'team', aud: 'https://apple.example', sub: 'latchkey', exp: iat + 300 })
    expect(Math.abs(iat - clock.now() / 1_000)).toBeLessThan(5)
    expect(await secret({ clientSecret: 'own' })).toBe('own')
    for (const missing of [{ teamId: undefined }, { keyId: undefined }, { privateKey: undefined }]) {
      expect(await secret(missing)).toBeUndefined()
    }
  })
})
