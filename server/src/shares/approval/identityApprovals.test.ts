import { randomBytes } from 'node:crypto'
import { startIdentity, startMail, type LocalIdentity, type LocalMail } from '@latchkey/devnet'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { computeNonce } from '../../custody/identity/verifyIdToken.ts'
import { oidcProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import { openDatabase } from '../../kit/database/database.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { comeBack, secretOf, visitProvider } from '../../testing/visitProvider.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const bytes = (count: number): string => randomBytes(count).toString('base64url')
const wraps = [{ id: 'auto', method: 'auto', wrapped: bytes(60), facts: '{}' }]

type Redeemed = { tokens: { accessToken: string; refreshToken: string }; user: { id: string }; idToken?: string }

describe.each(['one', 'split'] as const)('devices approved by an identity provider, in layout %s', (layout) => {
  let mail: LocalMail
  let provider: LocalIdentity
  let services: LoginServices
  let later = 0
  const clock = { now: () => Date.now() + later }

  // Requests are limited per client, and all tests run on one client.
  beforeEach(() => {
    later += 10_000
  })
  beforeAll(async () => {
    mail = await startMail()
    provider = await startIdentity()
    services = await startLoginServices({ mailUrl: mail.url, layout, clock, socials: provider.socials })
  }, 60_000)
  afterAll(async () => {
    await services.close()
    await provider.close()
    await mail.close()
  })

  /** Logs a frame in at a provider, for both services. */
  async function loggedIn(name: SocialProvider, email: string) {
    const auth = await createLoginClient(services.authUrl, { clock })
    const random = randomBytes(32)
    const nonce = computeNonce(auth.key, random).toString('base64url')
    const beginSession = await auth.ask('POST', '/auth/v1/social/begin', { provider: name, projectId, origin, nonce })
    const { id, uri } = beginSession.body as { id: string; uri: string }
    const page = await (await comeBack(await visitProvider(uri, { name: 'Ann', email }))).text()
    const { body } = await auth.ask('POST', '/auth/v1/social/redeem', { id, secret: secretOf(page) })
    const { tokens, user, idToken } = body as Redeemed
    const shares = await createLoginClient(services.sharesUrl, { twin: auth, clock })
    shares.use(tokens.accessToken)
    return { user: user.id, auth, tokens, shares, random: random.toString('base64url'), token: idToken ?? '' }
  }

  async function giveAway(user: string, thief: string): Promise<void> {
    const log = Fastify({ logger: false }).log
    const { kysely, close } = await openDatabase({ databaseUrl: services.authDatabaseUrl, dataDir: '' }, log)
    await sql`delete from auth_identity where user_id = ${user}`.execute(kysely)
    await sql`update auth_identity set user_id = ${user} where user_id = ${thief}`.execute(kysely)
    await close()
  }

  const find = (client: LoginClient) => client.ask('POST', '/shares/v1/sets/find', {})

  /** Creates the wallet of a user at the share store. */
  async function enrol(client: LoginClient): Promise<void> {
    const set = { walletId: bytes(16), setId: bytes(16), epoch: 1, share: bytes(120), vault: bytes(100), wraps }
    expect((await client.ask('POST', '/shares/v1/sets', set)).status).toBe(200)
    expect((await client.ask('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
  }

  test.each(oidcProviders)('are approved by the ID token of %s without a mail', async (name) => {
    const email = `${name}@example.org`
    const { shares, random, token } = await loggedIn(name, email)
    expect((await find(shares)).status).toBe(403)
    expect(await shares.ask('POST', '/shares/v1/identity', { provider: name, token, random })).toEqual({
      status: 200,
      body: {},
    })
    expect((await find(shares)).status).toBe(404)
    await enrol(shares)

    const other = await loggedIn(name, email)
    expect((await find(other.shares)).status).toBe(403)
    await other.shares.ask('POST', '/shares/v1/identity', { provider: name, token: other.token, random: other.random })
    expect((await find(other.shares)).status).toBe(200)
    expect(mail.received()).toEqual([])
  })

  test('are not approved by an ID token of another frame, key or account [K-11] [A-10]', async () => {
    const ann = await loggedIn('google', 'owner@example.org')
    await ann.shares.ask('POST', '/shares/v1/identity', { provider: 'google', token: ann.token, random: ann.random })
    await enrol(ann.shares)
    const thief = await loggedIn('google', 'thief@example.org')
    const { token, random } = ann
    for (const proof of [
      { provider: 'google', token, random },
      { provider: 'google', token, random: thief.random },
      { provider: 'facebook', token: thief.token, random: thief.random },
      { provider: 'google', token: `${thief.token}A`, random: thief.random },
    ]) {
      expect((await thief.shares.ask('POST', '/shares/v1/identity', proof)).status).toBe(401)
    }
    expect((await find(thief.shares)).status).toBe(403)
  })

  test('are not approved by an account that is not the pinned contact [K-11]', async () => {
    const ann = await loggedIn('google', 'pinned@example.org')
    await ann.shares.ask('POST', '/shares/v1/identity', { provider: 'google', token: ann.token, random: ann.random })
    await enrol(ann.shares)
    const thief = await loggedIn('google', 'bad@example.org')
    // A compromised auth service claims that the thief's account is Ann's. The thief has an ID token for his own key only.
    await giveAway(ann.user, thief.user)
    const again = await loggedIn('google', 'bad@example.org')
    expect(again.user).toBe(ann.user)
    const proof = { provider: 'google', token: again.token, random: again.random }
    expect((await again.shares.ask('POST', '/shares/v1/identity', proof)).status).toBe(200)
    expect((await find(again.shares)).status).toBe(403)
  })

  test('without an ID token are approved as the first device only, and by mail afterwards', async () => {
    const email = 'octo@example.org'
    const first = await loggedIn('github', email)
    expect((await find(first.shares)).status).toBe(403)
    expect((await first.shares.ask('POST', '/shares/v1/identity/first', { email })).status).toBe(200)
    await enrol(first.shares)

    const second = await loggedIn('github', email)
    expect((await second.shares.ask('POST', '/shares/v1/identity/first', { email })).status).toBe(403)
    expect((await find(second.shares)).status).toBe(403)
    await approveByMail(second.shares, 'somebody@example.org')
    expect((await find(second.shares)).status).toBe(403)
    await approveByMail(second.shares, email)
    expect((await find(second.shares)).status).toBe(200)
  })

  test('with a verifiable login are not approved as the first device without proof', async () => {
    const { shares } = await loggedIn('google', 'lazy@example.org')
    expect((await shares.ask('POST', '/shares/v1/identity/first', { email: 'lazy@example.org' })).status).toBe(403)
  })

  // This test is the last one, because the services' clocks do not go back.
  test('lose their approval after fifteen minutes', async () => {
    const { auth, tokens, shares, random, token } = await loggedIn('google', 'slow@example.org')
    await shares.ask('POST', '/shares/v1/identity', { provider: 'google', token, random })
    later += 15 * 60_000 - 5_000
    const { refreshToken } = tokens
    const { body } = await auth.ask('POST', '/auth/v1/tokens', { refreshToken })
    shares.use(String(body['accessToken']))
    expect((await find(shares)).status).toBe(404)
    later += 10_000
    expect((await find(shares)).status).toBe(403)
  })

  async function approveByMail(client: LoginClient, email: string): Promise<void> {
    const before = mail.received()[0]?.id ?? 0
    const { body } = await client.ask('POST', '/shares/v1/links', { email, projectId, origin })
    const { text } = await mail.waitFor(email, before)
    const link = new URL(/http:\/\/\S+/g.exec(text.split('open this page')[1] ?? '')?.[0] ?? expect.fail('no link'))
    const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(body['match']) })
    await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  }
})
