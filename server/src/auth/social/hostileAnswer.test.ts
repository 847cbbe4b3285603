import { randomBytes } from 'node:crypto'
import { startIdentity, startMail, type LocalIdentity, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { startLyingProvider, type LyingProvider } from '../../testing/lyingProvider.ts'
import { followCallback, secretOf, visitProvider, type ProviderUser } from '../../testing/visitProvider.ts'
import { computeNonce } from '../../custody/identity/verifyIdToken.ts'
import type { SocialProvider } from '../../custody/identity/socialProviders.ts'

const projectId = 'ab'.repeat(16)
const clientId = 'latchkey'
const ann = { name: 'Ann Lee', email: 'ann@example.org' }
const elsewhere = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' }

describe.each(['one', 'split'] as const)('responses of providers, in layout %s', (layout) => {
  let mail: LocalMail
  let identity: LocalIdentity
  /** Names itself in each response (RFC 9207). */
  let naming: LyingProvider
  let services: LoginServices
  let later = 0
  const clock = { now: () => Date.now() + later }

  beforeAll(async () => {
    mail = await startMail()
    identity = await startIdentity()
    naming = await startLyingProvider({ clientId, namesItself: true, now: clock.now })
    const facebook = { clientId, clientSecret: 'secret', issuer: naming.issuer }
    const socials = { ...identity.socials, facebook }
    services = await startLoginServices({ mailUrl: mail.url, layout, clock, socials })
  })
  afterAll(async () => {
    await services.close()
    await naming.close()
    await identity.close()
    await mail.close()
  })
  beforeEach(() => {
    later += 10_000
  })

  async function begin(provider: SocialProvider, frame?: LoginClient) {
    const client = frame ?? (await createLoginClient(services.authUrl, { clock }))
    const nonce = computeNonce(client.key, randomBytes(32)).toString('base64url')
    const requested = { provider, projectId, origin: 'http://app.localhost', nonce }
    const { body } = await client.request('POST', '/auth/v1/social/begin', requested)
    const { id, uri, match } = body as { id: string; uri: string; match: string }
    return { client, id, uri, match, nonce, state: new URL(uri).searchParams.get('state') ?? '' }
  }

  const redeem = ({ client, id }: { client: LoginClient; id: string }, page = '') => {
    const secret = secretOf(page)
    return client.request('POST', '/auth/v1/social/redeem', { id, ...(secret !== undefined && { secret }) })
  }
  const visit = async (uri: string, user: ProviderUser = ann) => (await visitProvider(uri, user)).url
  const pageAt = async (url: URL, headers = {}) => (await fetch(url, { headers })).text()

  /** Performs a complete login. */
  async function signIn(provider: SocialProvider, user: ProviderUser) {
    const login = await begin(provider)
    const page = await (await followCallback(await visitProvider(login.uri, user))).text()
    return ((await redeem(login, page)).body as { user: { id: string; email?: string } }).user
  }

  test('are rejected without the state of a pending login, or when repeated [A-09]', async () => {
    const login = await begin('github')
    const url = await visit(login.uri)
    const [missing, other, doubled] = [new URL(url), new URL(url), new URL(url)]
    missing.searchParams.delete('state')
    other.searchParams.set('state', randomBytes(32).toString('base64url'))
    doubled.searchParams.append('state', 'x')
    for (const each of [missing, other, doubled]) expect(await pageAt(each)).toContain('This login has expired')
    expect((await redeem(login)).body).toEqual({ state: 'waiting' })
    const page = await pageAt(url)
    expect(page).toContain('You are logged in')
    expect(await pageAt(url)).toContain('This login has expired')
    expect((await redeem(login, page)).status).toBe(200)
    expect((await redeem(login, page)).status).toBe(404)
  })

  test('are accepted once when many arrive concurrently [A-09]', async () => {
    const login = await begin('discord')
    const url = await visit(login.uri)
    const pages = await Promise.all(Array.from({ length: 10 }, () => pageAt(url)))
    expect(pages.filter((page) => page.includes('You are logged in'))).toHaveLength(1)
    expect(pages.filter((page) => page.includes('This login has expired'))).toHaveLength(9)
    const page = pages.find((each) => each.includes('You are logged in'))
    const replies = await Promise.all(Array.from({ length: 10 }, () => redeem(login, page)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('are not returned to another frame [A-06] [A-09]', async () => {
    const login = await begin('x')
    const page = await pageAt(await visit(login.uri))
    expect(page).toContain('You are logged in')
    const thief = await createLoginClient(services.authUrl, { clock })
    expect((await redeem({ client: thief, id: login.id }, page)).status).toBe(404)
    expect((await redeem(login, page)).status).toBe(200)
  })

  test('of one provider are rejected on the callback of another [A-11]', async () => {
    const login = await begin('github')
    const url = await visit(login.uri)
    for (const name of ['google', 'x', 'discord', 'apple']) {
      const other = new URL(url)
      other.pathname = `/auth/v1/social/${name}/callback`
      expect(await pageAt(other)).toContain('This login has expired')
    }
    expect((await redeem(login)).body).toEqual({ state: 'waiting' })
  })

  test.each([
    ['another name', 'https://evil.example'],
    ['no name', undefined],
  ])('with %s are rejected if the provider announces that it names itself [A-11]', async (_what, iss) => {
    const before = naming.requested.tokens
    const login = await begin('facebook')
    const url = new URL('/auth/v1/social/facebook/callback', services.authUrl)
    url.search = String(new URLSearchParams({ code: login.nonce, state: login.state, ...(iss && { iss }) }))
    expect(await pageAt(url)).toContain('The login was not completed')
    expect((await redeem(login)).status).toBe(401)
    expect(naming.requested.tokens).toBe(before)
    const good = await begin('facebook')
    url.search = String(new URLSearchParams({ code: good.nonce, state: good.state, iss: naming.issuer }))
    expect(await pageAt(url)).toContain('You are logged in')
  })

  test.each(['github', 'x', 'discord', 'google'] as const)(
    'of %s fail with the code of another login or a used code [A-12]',
    async (name) => {
      const victim = await begin(name)
      const stolen = (await visit(victim.uri)).searchParams.get('code') ?? expect.fail('no code')
      const thief = await begin(name)
      const injected = await visit(thief.uri, { name: 'Thief', email: 'thief@example.org' })
      injected.searchParams.set('code', stolen)
      expect(await pageAt(injected)).toContain('The login was not completed')
      expect((await redeem(thief)).status).toBe(401)

      const first = await begin(name)
      const used = await visit(first.uri)
      expect(await pageAt(used)).toContain('You are logged in')
      const second = await begin(name)
      const again = await visit(second.uri)
      again.searchParams.set('code', used.searchParams.get('code') ?? '')
      expect(await pageAt(again)).toContain('The login was not completed')
    },
  )

  test('end on our own page, whatever their parameters contain [A-13]', async () => {
    const hostile = [
      '//evil.example',
      '\\\\evil.example',
      'https://a@evil.example',
      '%0d%0aset-cookie:a=b',
      '。evil',
      '<b>x',
    ]
    for (const text of hostile) {
      const login = await begin('github')
      const url = new URL('/auth/v1/social/github/callback', services.authUrl)
      const names = ['redirect_uri', 'return', 'next', 'error_description', 'error_uri']
      for (const name of names) url.searchParams.set(name, text)
      url.searchParams.set('error', 'server_error')
      url.searchParams.set('state', login.state)
      const response = await fetch(url, { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([200, null])
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(response.headers.get('cache-control')).toBe('no-store')
      const page = await response.text()
      expect(page).toContain('The login was not completed')
      expect(page).not.toContain('evil')
      expect(page).not.toContain('<b>x')
    }
  })

  test('return to one fixed address, whatever the frame requests [A-13]', async () => {
    for (const name of ['google', 'apple', 'github', 'x', 'discord'] as const) {
      const { uri } = await begin(name)
      const { searchParams } = new URL(uri)
      expect(searchParams.get('redirect_uri')).toBe(`${services.authUrl}/auth/v1/social/${name}/callback`)
      expect(searchParams.get('code_challenge_method')).toBe('S256')
      expect(searchParams.get('response_type')).toBe('code')
    }
  })

  test('go on to another login at the same provider only [A-13]', async () => {
    const client = await createLoginClient(services.authUrl, { clock })
    const { uri } = await begin('github')
    const request = async (next: string) =>
      client.request('POST', '/auth/v1/social/begin', {
        provider: 'github',
        projectId,
        origin: 'http://app.localhost',
        nonce: randomBytes(32).toString('base64url'),
        next: { uri: next, always: true },
      })
    const { origin, pathname } = new URL(uri)
    for (const next of ['https://evil.example/', `${origin}/evil`, `https://evil.example${pathname}`, 'javascript:1']) {
      expect(await request(next)).toMatchObject({ status: 400, body: { reasons: [{ field: 'next' }] } })
    }
    expect((await request(uri)).status).toBe(200)
  })

  test('create one user per account, even with the same e-mail address [A-14]', async () => {
    const email = 'joined@example.org'
    const unverified = await signIn('github', { name: 'Mallory', email, verified: false })
    expect(unverified.email).toBeUndefined()
    const github = await signIn('github', { name: 'Owner', email: 'owner@example.org' })
    const google = await signIn('google', { name: 'Joined', email })
    const discord = await signIn('discord', { name: 'Mallory', email, verified: false })
    expect(discord.email).toBeUndefined()
    expect(google.email).toBe(email)
    const client = await createLoginClient(services.authUrl, { clock })
    const { body } = await client.request('POST', '/auth/v1/codes', {
      email,
      projectId,
      origin: 'http://app.localhost',
    })
    const code = /\b\d{6}\b/.exec((await mail.waitFor(email)).text)?.[0] ?? expect.fail('no code')
    const redeemed = await client.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email, code })
    const byMail = redeemed.body['user'] as { id: string }
    expect(new Set([unverified.id, github.id, google.id, discord.id, byMail.id]).size).toBe(5)
    expect((await signIn('google', { name: 'Joined', email })).id).toBe(google.id)
  })

  test('that report a refusal end the login with a refusal', async () => {
    for (const name of ['google', 'apple', 'github', 'x'] as const) {
      const login = await begin(name)
      const page = await (await followCallback(await visitProvider(login.uri, 'deny'))).text()
      expect(page).toContain('You are not logged in')
      const { status, body } = await redeem(login)
      expect([status, JSON.stringify(body)]).toEqual([401, expect.stringContaining('did not allow')])
    }
  })

  const enterDigits = async (fields: { id: string; secret: string; match: string }) => {
    const body = new URLSearchParams(fields)
    return (await fetch(`${services.authUrl}/auth/v1/social/confirm`, { method: 'POST', body })).text()
  }
  const otherDigits = (match: string): string => (match === '11' ? '12' : '11')

  test('of a lured victim in the same network, with the same browser, log in no attacker [A-21]', async () => {
    const attacker = await begin('google')
    const page = await pageAt(await visit(attacker.uri))
    expect((await redeem(attacker)).body).toEqual({ state: 'waiting' })
    for (const secret of [randomBytes(32).toString('base64url'), attacker.state, 'A'.repeat(43)]) {
      const guess = { id: attacker.id, secret }
      expect((await attacker.client.request('POST', '/auth/v1/social/redeem', guess)).body).toEqual({
        state: 'waiting',
      })
    }
    // The secret of another login of the attacker.
    const own = await begin('google')
    const ownPage = await pageAt(await visit(own.uri, { name: 'Mallory', email: 'mallory@example.org' }))
    expect((await redeem(attacker, ownPage)).body).toEqual({ state: 'waiting' })
    const secret = secretOf(ownPage) ?? ''
    expect(await enterDigits({ id: attacker.id, secret, match: attacker.match })).toContain('This login has expired')
    expect((await redeem(attacker)).body).toEqual({ state: 'waiting' })
    // The victim's own frame gets nothing either: the login belongs to the attacker's key.
    const victim = await createLoginClient(services.authUrl, { clock })
    expect((await redeem({ client: victim, id: attacker.id }, page)).status).toBe(404)
  })

  test('show the secret to the page of the frame only, and never in an address [A-21]', async () => {
    const login = await begin('github')
    const response = await fetch(await visit(login.uri))
    const page = await response.text()
    expect(page).toContain('data-frame="http://wallet.localhost:4605"')
    expect(page).not.toContain(`?secret`)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
  })

  test('are accepted after the confirmation digits are entered, without the secret of the page [A-07] [A-21]', async () => {
    const login = await begin('github')
    const page = await pageAt(await visit(login.uri), elsewhere)
    expect(page).toContain('http://app.localhost')
    for (const text of ['Approximate location', 'a local network', 'UTC']) expect(page).toContain(text)
    const secret = secretOf(page) ?? ''
    const wrong = await enterDigits({ id: login.id, secret, match: otherDigits(login.match) })
    expect(wrong).toContain('These digits are wrong')
    expect((await redeem(login)).body).toEqual({ state: 'waiting' })
    expect(await enterDigits({ id: login.id, secret, match: login.match })).toContain('You are logged in')
    expect((await redeem(login)).status).toBe(200)
  })

  test('end after three wrong digits, for the secret of the page, too [A-07]', async () => {
    const login = await begin('github')
    const page = await pageAt(await visit(login.uri))
    const secret = secretOf(page) ?? ''
    for (let count = 0; count < 3; count += 1) {
      await enterDigits({ id: login.id, secret, match: otherDigits(login.match) })
    }
    expect(await enterDigits({ id: login.id, secret, match: login.match })).toContain('This login has expired')
    expect((await redeem(login, page)).status).toBe(404)
  })

  test('are not awaited if the provider is not configured or unreachable, or the origin is not allowed', async () => {
    const client = await createLoginClient(services.authUrl, { clock })
    const requested = {
      provider: 'myspace',
      projectId,
      origin: 'http://app.localhost',
      nonce: randomBytes(32).toString('base64url'),
    }
    expect((await client.request('POST', '/auth/v1/social/begin', requested)).status).toBe(400)
    const foreign = { ...requested, provider: 'github', projectId: 'nobody' }
    expect((await client.request('POST', '/auth/v1/social/begin', foreign)).status).toBe(403)
    const short = { ...requested, provider: 'github', nonce: 'AAAA' }
    expect((await client.request('POST', '/auth/v1/social/begin', short)).status).toBe(400)
  })

  // This test is the last one, because the services' clocks do not go back and providers have their own clocks.
  test('expire after ten minutes, and their results a minute after they arrive [A-09]', async () => {
    const late = await begin('github')
    const [lateUrl, slow] = [await visit(late.uri), await begin('github')]
    const page = await pageAt(await visit(slow.uri))
    const entered = await begin('github')
    const { secret, match } = { secret: secretOf(await pageAt(await visit(entered.uri))) ?? '', match: entered.match }
    await enterDigits({ id: entered.id, secret, match })
    later += 60_001
    expect((await redeem(entered)).status).toBe(404)
    later += 9 * 60_000
    expect((await redeem(slow, page)).status).toBe(404)
    expect(await pageAt(lateUrl)).toContain('This login has expired')
    expect((await redeem(late)).status).toBe(404)
  })
})

test('a login at an unreachable provider reports the outage', { tags: 'abuse' }, async () => {
  const mail = await startMail()
  const away = await startLyingProvider({ clientId, now: Date.now })
  await away.close()
  const socials = { google: { clientId, clientSecret: 'secret', issuer: away.issuer } }
  const services = await startLoginServices({ mailUrl: mail.url, socials })
  const client = await createLoginClient(services.authUrl)
  const nonce = randomBytes(32).toString('base64url')
  const requested = { provider: 'google', projectId, origin: 'http://app.localhost', nonce }
  const { status, body } = await client.request('POST', '/auth/v1/social/begin', requested)
  expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining('can’t be reached')])
  await services.close()
  await mail.close()
})
