import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { startMail, type LocalMail } from '@latchkey/devnet'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../kit/runtime/clock.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { createHttp } from '../kit/http/createHttp.ts'
import { createProjects } from '../kit/http/projects.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { createLoginClient, type LoginClient } from '../testing/loginClient.ts'
import { mountAuth, type Auth } from './mountAuth.ts'
import { createSmtpMailer } from '../custody/mail/smtpMailer.ts'

let place: TestPostgres
let database: Database
let mail: LocalMail
let app: FastifyInstance
let auth: Auth
let url = ''

beforeAll(async () => {
  place = await createTestDatabase()
  mail = await startMail()
  const projects = createProjects('any')
  app = await createHttp({ logLevel: 'silent', projects })
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, app.log)
  auth = await mountAuth(app, {
    database,
    projects,
    clock: systemClock,
    trustedProxies: 0,
    masterKeys: [{ id: 'one', key: randomBytes(32) }],
    mailer: createSmtpMailer({ url: mail.url, from: 'Latchkey <login@example.org>' }),
    url: () => url,
    frameUrl: () => 'http://wallet.localhost:4605',
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await auth.close()
  await app.close()
  await database.close()
  await mail.close()
  await place.close()
})

const projectId = 'ab'.repeat(16)
const createCodeRequest = (email: string) => ({ email, projectId, origin: 'http://app.localhost' })
const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')

/** Logs in by mail, as a frame does. */
async function logIn(client: LoginClient, email: string) {
  const requested = await client.request('POST', '/auth/v1/codes', createCodeRequest(email))
  const { text } = await mail.waitFor(email)
  const redeemed = await client.request('POST', '/auth/v1/codes/redeem', {
    id: requested.body['id'],
    email,
    code: codeIn(text),
  })
  const { tokens, user } = redeemed.body as { tokens: { accessToken: string; refreshToken: string }; user: object }
  client.use(tokens.accessToken)
  return { requested, tokens, user }
}

/** A login alone makes no device a known one. */
async function createWallet(device: LoginClient): Promise<void> {
  const share = { walletId: randomBase64Url(16), setId: randomBase64Url(16), epoch: 1, share: randomBase64Url(94) }
  const accounts = [{ namespace: 'eip155', address: '0xab' }]
  expect((await device.request('POST', '/auth/v1/shares', { ...share, accounts })).status).toBe(200)
  expect((await device.request('POST', '/auth/v1/shares/commit', { setId: share.setId })).status).toBe(200)
}

describe('the login by mail', () => {
  test('accepts a code that arrived by mail and returns the user afterwards', async () => {
    const client = await createLoginClient(url)
    const { user } = await logIn(client, 'ann@example.org')
    expect(user).toMatchObject({ email: 'ann@example.org' })
    expect(await client.request('GET', '/auth/v1/user')).toEqual({ status: 200, body: user })
  })

  test('requires device verification on a new device, with and without an account [R4.3.4] [A-05]', async () => {
    const known = await createLoginClient(url)
    expect((await logIn(known, 'ben@example.org')).requested.body['action']).toBe('VERIFY_DEVICE')
    const fresh = await createLoginClient(url)
    const actions = await Promise.all(
      ['cat@example.org', 'dan@example.org'].map(async (email) => {
        const { status, body } = await fresh.request('POST', '/auth/v1/codes', createCodeRequest(email))
        return [status, body['action'], Object.keys(body)]
      }),
    )
    expect(actions[0]).toEqual(actions[1])
    const again = await known.request('POST', '/auth/v1/codes', createCodeRequest('eve@example.org'))
    expect(again.body['action']).toBe('VERIFY_OTP')
  })

  test('continues with refreshed tokens until the logout', async () => {
    const client = await createLoginClient(url)
    const { tokens } = await logIn(client, 'fay@example.org')
    const next = await client.request('POST', '/auth/v1/tokens', { refreshToken: tokens.refreshToken })
    expect(next.status).toBe(200)
    const { refreshToken } = next.body
    expect((await client.request('POST', '/auth/v1/tokens/end', { refreshToken })).status).toBe(200)
    expect((await client.request('POST', '/auth/v1/tokens', { refreshToken })).status).toBe(401)
  })

  test('rejects an access token without its key [A-17]', async () => {
    const client = await createLoginClient(url)
    const { tokens } = await logIn(client, 'gus@example.org')
    const thief = await createLoginClient(url)
    thief.use(tokens.accessToken)
    expect((await thief.request('GET', '/auth/v1/user')).status).toBe(401)
    const plain = await fetch(`${url}/auth/v1/user`, { headers: { authorization: `Bearer ${tokens.accessToken}` } })
    expect(plain.status).toBe(401)
  })

  test('is rejected from an origin that the project does not allow', async () => {
    const client = await createLoginClient(url)
    const refused = await client.request('POST', '/auth/v1/codes', {
      ...createCodeRequest('hal@example.org'),
      origin: 'https://evil.example',
    })
    expect(refused.status).toBe(403)
  })

  test('reports an unsent mail and does not count it as an attempt [A-18]', async () => {
    const client = await createLoginClient(url)
    mail.refuse('try later')
    expect((await client.request('POST', '/auth/v1/codes', createCodeRequest('ida@example.org'))).status).toBe(503)
    mail.refuse(undefined)
    expect((await client.request('POST', '/auth/v1/codes', createCodeRequest('ida@example.org'))).status).toBe(200)
  })

  test('sends the known device of an address a code while strangers have to wait [A-25]', async () => {
    const known = await createLoginClient(url)
    await logIn(known, 'uma@example.org')
    await createWallet(known)
    const stranger = await createLoginClient(url)
    expect((await stranger.request('POST', '/auth/v1/codes', createCodeRequest('uma@example.org'))).status).toBe(429)
    expect((await known.request('POST', '/auth/v1/codes', createCodeRequest('uma@example.org'))).status).toBe(200)
    expect((await known.request('POST', '/auth/v1/codes', createCodeRequest('uma@example.org'))).status).toBe(429)
    await logIn(stranger, 'vic@example.org')
    expect((await stranger.request('POST', '/auth/v1/codes', createCodeRequest('uma@example.org'))).status).toBe(429)
  })

  test('rejects a second code within thirty seconds with the text of the specification [R5.3.6] [R8.2.10]', async () => {
    const client = await createLoginClient(url)
    await client.request('POST', '/auth/v1/codes', createCodeRequest('joe@example.org'))
    const refused = await client.request('POST', '/auth/v1/codes', createCodeRequest('joe@example.org'))
    expect(refused.status).toBe(429)
    expect(JSON.stringify(refused.body)).toMatch(/Please try again after (30|29|28) seconds/)
  })
})

describe('the auth share endpoints', () => {
  test('store, return and commit the share of a device', async () => {
    const laptop = await createLoginClient(url)
    await logIn(laptop, 'kim@example.org')
    const share = { walletId: randomBase64Url(16), setId: randomBase64Url(16), epoch: 1, share: randomBase64Url(94) }
    const accounts = [{ namespace: 'eip155', address: '0xab' }]
    expect((await laptop.request('POST', '/auth/v1/shares', { ...share, accounts })).status).toBe(200)
    expect((await laptop.request('POST', '/auth/v1/shares/read', { setId: share.setId })).body).toEqual(share)
    expect((await laptop.request('POST', '/auth/v1/shares/own', {})).status).toBe(404)
    expect((await laptop.request('POST', '/auth/v1/shares/commit', { setId: share.setId })).status).toBe(200)
    expect((await laptop.request('POST', '/auth/v1/shares/own', {})).body).toEqual(share)
    expect((await laptop.request('GET', '/auth/v1/user')).body).toMatchObject({ accounts })
  })

  test.each([
    [{ walletId: 'short' }, 'walletId'],
    [{ setId: `${randomBase64Url(16).slice(0, -1)}B` }, 'setId'],
    [{ epoch: 0 }, 'epoch'],
    [{ share: 'not bytes!' }, 'share'],
    [{ accounts: [] }, 'accounts'],
  ])('reject %j and name the field', async (changes, field) => {
    const client = await createLoginClient(url)
    await logIn(client, `${field.toLowerCase()}@example.org`)
    const share = {
      walletId: randomBase64Url(16),
      setId: randomBase64Url(16),
      epoch: 1,
      share: randomBase64Url(94),
      accounts: [{ namespace: 'a', address: 'b' }],
    }
    const { status, body } = await client.request('POST', '/auth/v1/shares', { ...share, ...changes })
    expect(status).toBe(400)
    expect(body).toMatchObject({ reasons: [{ field }] })
  })

  test('reject requests without a login', async () => {
    const anonymous = await createLoginClient(url)
    for (const [path, body] of [
      ['own', {}],
      ['any', { setId: randomBase64Url(16), proof: randomBase64Url(32) }],
    ] as const) {
      expect((await anonymous.request('POST', `/auth/v1/shares/${path}`, body)).status).toBe(401)
    }
  })
})
