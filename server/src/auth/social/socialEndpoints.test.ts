import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPlaces } from '../../custody/requests/source/places.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createSignIn } from './signIn.ts'
import { socialEndpoints, type SocialEndpointsDependencies } from './socialEndpoints.ts'
import type { RedeemedLogin } from './socialLogins.ts'

const url = 'https://auth.example'
const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const nonce = randomBytes(32).toString('base64url')
const begun = { provider: 'github', projectId, origin, nonce }
const address = 'https://provider.example/authorize?state=the-state'
const account = { provider: 'github', subject: '1', userName: 'Ann' } as const
const tokens = { accessToken: 'a', sharesToken: 's', refreshToken: 'r', expiresAt: 1 }
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0', 'x-forwarded-for': '192.168.0.7' }

let app: Awaited<ReturnType<typeof createHttp>>
let calls: unknown[][]
let isProviderReachable = true
let redeemed: RedeemedLogin | undefined

beforeAll(async () => {
  const projects = createProjects('any')
  app = await createHttp({ logLevel: 'silent', projects })
  mountEndpoints(app, socialEndpoints({ ...createDependencies(), projects }), () => {})
})
beforeEach(() => {
  ;[calls, isProviderReachable, redeemed] = [[], true, undefined]
})
afterAll(() => app.close())

const record =
  <result>(name: string, result: result) =>
  async (...given: readonly unknown[]): Promise<result> => {
    calls.push([name, ...given])
    return result
  }

function createDependencies(): Omit<SocialEndpointsDependencies, 'projects'> {
  const openPage = record('provider', new URL(address))
  const signIn = createSignIn({
    identities: { findOrCreateUser: record('identity', 'ann'), find: async () => account },
    users: { recordDevice: record('device', undefined), find: async (id) => ({ id, email: undefined }) },
    sessions: { begin: record('session', tokens) },
    auditLog: { record: async (event, { raw, ...facts }) => void calls.push(['audit', event, raw?.method, facts]) },
    shares: { listAccounts: async () => undefined },
    deletions: { scheduledAt: async () => 7 },
  })
  return {
    url: () => url,
    signIn,
    trustedProxies: 1,
    places: createPlaces(),
    clients: new Map([
      [
        'github',
        { begin: (login) => (isProviderReachable ? openPage(login) : Promise.reject(new Error('not reachable'))) },
      ],
    ]),
    authenticator: { authenticateKey },
    logins: {
      begin: record('begin', { id: 'the-id', state: 'the-state', verifier: 'the-verifier', match: '42' }),
      redeem: async (...given) => {
        calls.push(['redeem', ...given])
        return redeemed
      },
    },
  }
}

async function authenticateKey({ headers: { 'x-key': key } }: IncomingMessage): Promise<string> {
  if (key === undefined) throw new Problem(401, 'proof', 'The proof is missing.')
  return String(key)
}

async function post(path: string, body: object, headers: Record<string, string> = { 'x-key': 'frame' }) {
  const sent = { method: 'POST', url: `/auth/v1/social/${path}`, body, headers: { ...browser, ...headers } } as const
  const response = await app.inject(sent)
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}
const createRefusal = (status: number, field: string) => ({ status, body: { reasons: [{ field }] } })

describe('the beginning of a login', () => {
  test('is bound to the key and the nonce of the frame, and names the source of the request', async () => {
    const { status, body } = await post('begin', begun)
    expect([status, body]).toEqual([200, { id: 'the-id', match: '42', uri: address }])
    const source = { browser: 'Firefox on Linux', place: 'local', client: '192.168.0.7' }
    const requested = { provider: 'github', key: 'frame', origin, nonce, ...source, next: undefined }
    const redirectUri = `${url}/auth/v1/social/github/callback`
    expect(calls).toEqual([
      ['begin', requested],
      ['provider', { state: 'the-state', verifier: 'the-verifier', nonce, redirectUri }],
    ])
  })

  test('keeps the next login at the same provider, and refuses any other address [A-13]', async () => {
    const next = { uri: 'https://provider.example/authorize?state=2', always: true }
    expect((await post('begin', { ...begun, next })).status).toBe(200)
    expect(calls[0]).toEqual(['begin', expect.objectContaining({ next })])
    for (const uri of [
      'https://evil.example/authorize',
      'https://provider.example/evil',
      'javascript:1',
      '/authorize',
    ]) {
      const refused = await post('begin', { ...begun, next: { uri, always: true } })
      expect(refused).toMatchObject(createRefusal(400, 'next'))
    }
  })

  test('stores nothing for a request that is refused', async () => {
    const short = randomBytes(31).toString('base64url')
    const refusals = [
      [{ ...begun, provider: 'x' }, createRefusal(400, 'provider')],
      [{ ...begun, provider: 'myspace' }, createRefusal(400, 'provider')],
      [{ ...begun, origin: 'https://evil.example' }, createRefusal(403, 'origin')],
      [{ ...begun, nonce: short }, createRefusal(400, 'nonce')],
      [{ ...begun, nonce: `${nonce}A` }, createRefusal(400, 'nonce')],
      [{ ...begun, projectId: 'a'.repeat(65) }, createRefusal(400, 'projectId')],
      [{ ...begun, origin: `http://${'a'.repeat(256)}.localhost` }, createRefusal(400, 'origin')],
      [{ ...begun, next: { uri: 'a'.repeat(8_193), always: true } }, createRefusal(400, 'next')],
      [{ ...begun, next: { uri: address } }, createRefusal(400, 'next')],
    ] as const
    for (const [body, refusal] of refusals) expect(await post('begin', body)).toMatchObject(refusal)
    expect(await post('begin', begun, {})).toMatchObject(createRefusal(401, 'proof'))
    expect(calls).toEqual([])
  })

  test('reports a provider that is not reachable', async () => {
    isProviderReachable = false
    expect(await post('begin', begun)).toMatchObject(createRefusal(502, 'provider'))
  })
})

describe('the result of a login', () => {
  test('is awaited for the key of the frame, with the secret of the page', async () => {
    const secret = randomBytes(32).toString('base64url')
    expect(await post('redeem', { id: 'the-id', secret })).toEqual({ status: 200, body: { state: 'waiting' } })
    expect(await post('redeem', { id: 'the-id' })).toEqual({ status: 200, body: { state: 'waiting' } })
    expect(calls).toEqual([
      ['redeem', 'the-id', 'frame', secret],
      ['redeem', 'the-id', 'frame', undefined],
    ])
  })

  test('is a session of the user of the account, and recorded for the device', async () => {
    redeemed = { account, continues: true }
    const { body } = await post('redeem', { id: 'the-id' })
    const user = { id: 'ann', social: 'github', userName: 'Ann', deletionAt: 7 }
    expect(body).toEqual({ state: 'done', continues: true, tokens, user })
    expect(calls.slice(1)).toEqual([
      ['identity', account],
      ['session', { user: 'ann', key: 'frame', methods: ['github'] }, 'Firefox on Linux'],
      ['device', 'ann', 'frame'],
      ['audit', 'login', 'POST', { user: 'ann', key: 'frame', about: 'github' }],
    ])
  })

  test('is refused without a proof of the key, or with an id or a secret of another form', async () => {
    expect(await post('redeem', { id: 'the-id' }, {})).toMatchObject(createRefusal(401, 'proof'))
    expect(await post('redeem', { id: 'a'.repeat(37) })).toMatchObject(createRefusal(400, 'id'))
    for (const secret of ['', '!', 'a'.repeat(44)]) {
      expect(await post('redeem', { id: 'the-id', secret })).toMatchObject(createRefusal(400, 'secret'))
    }
    expect(calls).toEqual([])
  })
})
