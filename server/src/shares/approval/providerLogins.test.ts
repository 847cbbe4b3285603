import { randomBytes } from 'node:crypto'
import { startIdentity, startMail, type LocalIdentity, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { SessionTokens } from '../../auth/sessions/sessions.ts'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import {
  followCallback,
  secretOf,
  visitForCode,
  visitProvider,
  type ProviderUser,
} from '../../testing/visitProvider.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const wraps = [{ id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }]
const ann: ProviderUser = { name: 'Ann', email: 'ann@example.org' }

describe.each(['one', 'split'] as const)('the share store’s own logins at providers, in layout %s', (layout) => {
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
  })
  afterAll(async () => {
    await services.close()
    await provider.close()
    await mail.close()
  })

  /** Logs a frame in at the auth service. */
  async function loggedIn(name: SocialProvider, user: ProviderUser) {
    const auth = await createLoginClient(services.authUrl, { clock })
    const requested = { provider: name, projectId, origin, nonce: randomBase64Url(32) }
    const { id, uri } = (await auth.request('POST', '/auth/v1/social/begin', requested)).body as {
      id: string
      uri: string
    }
    const page = await (await followCallback(await visitProvider(uri, user))).text()
    const { body } = await auth.request('POST', '/auth/v1/social/redeem', { id, secret: secretOf(page) })
    const { tokens } = body as { tokens: SessionTokens }
    const shares = await createLoginClient(services.sharesUrl, { twin: auth, clock })
    shares.use(tokens.sharesToken)
    return { auth, tokens, shares }
  }

  const begin = async (client: LoginClient, name: SocialProvider) =>
    (await client.request('POST', '/shares/v1/social/begin', { provider: name, projectId, origin })).body as {
      id: string
      uri: string
    }
  const redeem = (client: LoginClient, id: string, code: string | undefined) =>
    client.request('POST', '/shares/v1/social/redeem', { id, code })
  const find = (client: LoginClient) => client.request('POST', '/shares/v1/sets/find', {})

  async function approve(client: LoginClient, name: SocialProvider, user: ProviderUser): Promise<void> {
    const { id, uri } = await begin(client, name)
    expect((await redeem(client, id, await visitForCode(uri, user))).status).toBe(200)
  }

  test.each(socialProviders)('approve each device of an account at %s without a mail', async (name) => {
    const { shares } = await loggedIn(name, ann)
    expect((await find(shares)).status).toBe(403)
    await approve(shares, name, ann)
    const set = {
      walletId: randomBase64Url(16),
      setId: randomBase64Url(16),
      epoch: 1,
      share: randomBase64Url(120),
      vault: randomBase64Url(100),
      wraps,
    }
    expect((await shares.request('POST', '/shares/v1/sets', set)).status).toBe(200)
    expect((await shares.request('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)

    const other = await loggedIn(name, ann)
    expect((await find(other.shares)).status).toBe(403)
    await approve(other.shares, name, ann)
    expect((await find(other.shares)).status).toBe(200)
    expect(mail.received()).toEqual([])
  })

  test('pass their code to the frame, and to no other origin [V-03]', async () => {
    const { shares } = await loggedIn('github', ann)
    const { uri } = await begin(shares, 'github')
    const response = await followCallback(await visitProvider(uri, ann))
    const page = await response.text()
    expect(page).toContain('data-frame="http://wallet.localhost:4605"')
    for (const text of ['Approximate location', 'a local network', 'UTC']) expect(page).toContain(text)
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('accept a code once, from the device that began, in three tries [V-03]', async () => {
    const [one, two] = [await loggedIn('x', ann), await loggedIn('x', ann)]
    const first = await begin(one.shares, 'x')
    const code = (await visitForCode(first.uri, ann)) ?? expect.fail('no code')
    expect((await redeem(two.shares, first.id, code)).status).toBe(404)
    const results = await Promise.all([1, 2, 3].map(() => redeem(one.shares, first.id, code)))
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])

    const second = await begin(two.shares, 'x')
    const other = (await visitForCode(second.uri, ann)) ?? expect.fail('no code')
    const wrong = String((Number(other) + 1) % 10 ** 8).padStart(8, '0')
    const guesses = await Promise.all([1, 2, 3, 4, 5].map(() => redeem(two.shares, second.id, wrong)))
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, 404, 404])
    expect((await redeem(two.shares, second.id, other)).status).toBe(404)
    expect((await find(two.shares)).status).toBe(403)
  })

  test('accept a response once, with the state of a pending login at the same provider [A-09] [A-11]', async () => {
    const { shares } = await loggedIn('github', ann)
    const { uri } = await begin(shares, 'github')
    const { url } = await visitProvider(uri, ann)
    const elsewhere = new URL(url.href.replace('/github/', '/discord/'))
    expect(await (await followCallback({ url: elsewhere, form: undefined })).text()).toContain('This login has expired')
    const noState = new URL(url)
    noState.searchParams.delete('state')
    expect(await (await followCallback({ url: noState, form: undefined })).text()).toContain('This login has expired')
    expect(await (await followCallback({ url, form: undefined })).text()).toContain('data-code')
    expect(await (await followCallback({ url, form: undefined })).text()).toContain('This login has expired')
  })

  test('end with a refusal if the user declines, and then accept no code', async () => {
    const { shares } = await loggedIn('google', ann)
    const { id, uri } = await begin(shares, 'google')
    expect(await (await followCallback(await visitProvider(uri, 'deny'))).text()).toContain(
      'You didn’t allow the login',
    )
    expect((await redeem(shares, id, '00000000')).status).toBe(404)
  })

  // This test is the last one, because the services' clocks do not go back.
  test('expire after fifteen minutes, and so do their approvals', async () => {
    const { auth, tokens, shares } = await loggedIn('google', ann)
    const stale = await begin(shares, 'google')
    const back = await visitProvider(stale.uri, ann)
    await approve(shares, 'github', { name: 'Slow', email: 'slow@example.org' })
    later += 15 * 60_000 - 5_000
    const { body } = await auth.request('POST', '/auth/v1/tokens', { refreshToken: tokens.refreshToken })
    shares.use(String(body['sharesToken']))
    expect((await find(shares)).status).toBe(403)
    later += 10_000
    expect(await (await followCallback(back)).text()).toContain('This login has expired')
    expect((await find(shares)).status).toBe(403)
  })
})

test('the page of a provider login shows the allowed entry and no text that the caller chose [V-03]', async () => {
  const mail = await startMail()
  onTestFinished(() => mail.close())
  const provider = await startIdentity()
  onTestFinished(() => provider.close())
  const services = await startLoginServices({
    mailUrl: mail.url,
    layout: 'split',
    socials: provider.socials,
    parts: { shares: { projects: createProjects([{ id: projectId, allowedOrigins: ['*.preview.example'] }]) } },
  })
  onTestFinished(() => services.close())
  const client = await createLoginClient(services.sharesUrl)
  const foreign = { provider: 'google', projectId, origin: 'https://your-bank.preview.example' }
  const { body } = await client.request('POST', '/shares/v1/social/begin', foreign)
  const { uri } = body as { uri: string }
  const page = await (await followCallback(await visitProvider(uri, ann))).text()
  expect(page).toContain('*.preview.example')
  expect(page).not.toContain('your-bank')
})
