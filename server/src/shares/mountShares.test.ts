import { randomBytes } from 'node:crypto'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionTokens } from '../auth/sessions/sessions.ts'
import { createLoginClient, type LoginClient } from '../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../testing/loginServices.ts'

const projectId = 'ab'.repeat(16)
const createCodeRequest = (email: string) => ({ email, projectId, origin: 'http://app.localhost' })
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const createSet = () => ({
  walletId: randomBase64Url(16),
  setId: randomBase64Url(16),
  epoch: 1,
  share: randomBase64Url(120),
})
const wraps = [{ id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }]

describe.each(['one', 'split'] as const)('the share store, in layout %s', (layout) => {
  let mail: LocalMail
  let services: LoginServices
  let later = 0
  const clock = { now: () => Date.now() + later }

  beforeAll(async () => {
    mail = await startMail()
    services = await startLoginServices({ mailUrl: mail.url, layout, clock })
  })
  afterAll(async () => {
    await services.close()
    await mail.close()
  })

  /** Logs a frame in at both services with a code. */
  async function loggedIn(email: string): Promise<LoginClient> {
    const client = await createLoginClient(services.sharesUrl, { clock })
    client.use((await tokensOf(client, email)).sharesToken)
    return client
  }

  async function tokensOf(client: LoginClient, email: string): Promise<SessionTokens> {
    const auth = await createLoginClient(services.authUrl, { twin: client, clock })
    const before = mail.received()[0]?.id ?? 0
    const { body } = await auth.request('POST', '/auth/v1/codes', createCodeRequest(email))
    const { text } = await mail.waitFor(email, before)
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
    const redeemed = await auth.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email, code })
    return (redeemed.body as { tokens: SessionTokens }).tokens
  }

  /** Opens the mailed link and enters the confirmation digits. */
  async function approve(client: LoginClient, email: string): Promise<void> {
    const before = mail.received()[0]?.id ?? 0
    const { body } = await client.request('POST', '/shares/v1/links', createCodeRequest(email))
    const { text } = await mail.waitFor(email, before)
    const link = new URL(/http:\/\/\S+/g.exec(text.split('open this page')[1] ?? '')?.[0] ?? expect.fail('no link'))
    const page = await fetch(link)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await page.text()).toContain('http://app.localhost')
    const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(body['match']) })
    const sent = await fetch(link.origin + link.pathname, { method: 'POST', body: form })
    expect(await sent.text()).toContain('Approved')
    const state = await client.request('POST', '/shares/v1/links/state', { id: body['id'] })
    expect(state.body).toEqual({ state: 'approved' })
  }

  test('stores nothing for a device that only logged in [K-11]', async () => {
    const client = await loggedIn('ann@example.org')
    for (const [path, body] of [
      ['sets', createSet()],
      ['sets/find', {}],
    ] as const) {
      expect(await client.request('POST', `/shares/v1/${path}`, body)).toMatchObject({
        status: 403,
        body: { reasons: [{ field: 'device' }] },
      })
    }
  })

  test('stores the enrolment of an approved device, which needs no further link', async () => {
    const client = await loggedIn('ben@example.org')
    await approve(client, 'ben@example.org')
    const set = { ...createSet(), vault: randomBase64Url(60), wraps }
    expect((await client.request('POST', '/shares/v1/sets', set)).status).toBe(200)
    expect((await client.request('POST', '/shares/v1/sets/read', { setId: set.setId })).body).toEqual(set)
    expect((await client.request('POST', '/shares/v1/sets/find', {})).status).toBe(404)
    expect((await client.request('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
    expect((await client.request('POST', '/shares/v1/sets/find', {})).body).toEqual(set)
  })

  test('returns the wallet to another device of the user after its approval, and to no other user [K-03]', async () => {
    const first = await loggedIn('cat@example.org')
    await approve(first, 'cat@example.org')
    const set = { ...createSet(), vault: randomBase64Url(60), wraps }
    await first.request('POST', '/shares/v1/sets', set)
    await first.request('POST', '/shares/v1/sets/commit', { setId: set.setId })
    // The next mail to the same mailbox is sent after half a minute at the earliest.
    later += 31_000
    const second = await loggedIn('cat@example.org')
    expect((await second.request('POST', '/shares/v1/sets/find', {})).status).toBe(403)
    await approve(second, 'cat@example.org')
    expect((await second.request('POST', '/shares/v1/sets/find', {})).body).toEqual(set)
    const stranger = await loggedIn('dan@example.org')
    await approve(stranger, 'dan@example.org')
    expect((await stranger.request('POST', '/shares/v1/sets/find', {})).status).toBe(404)
    expect((await stranger.request('POST', '/shares/v1/sets/read', { setId: set.setId })).status).toBe(404)
  })

  test('accepts approvals only from the pinned mailbox, even if the auth service lies [K-11]', async () => {
    const first = await loggedIn('eve@example.org')
    await approve(first, 'eve@example.org')
    await first.request('POST', '/shares/v1/sets', { ...createSet(), vault: randomBase64Url(60), wraps })
    later += 31_000
    const second = await loggedIn('eve@example.org')
    await approve(second, 'mallory@example.org')
    expect((await second.request('POST', '/shares/v1/sets/find', {})).status).toBe(403)
  })

  test('accepts no recovery methods from a device that is minutes old, at any endpoint [D-02]', async () => {
    const email = 'joy@example.org'
    const owner = await loggedIn(email)
    await approve(owner, email)
    const set = { ...createSet(), vault: randomBase64Url(60), wraps }
    await owner.request('POST', '/shares/v1/sets', set)
    await owner.request('POST', '/shares/v1/sets/commit', { setId: set.setId })
    later += 31_000
    const young = await loggedIn(email)
    await approve(young, email)
    const own = { ...createSet(), walletId: set.walletId }
    await young.request('POST', '/shares/v1/sets', own)
    await young.request('POST', '/shares/v1/sets/commit', { setId: own.setId })

    const junk = { id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }
    const again = () => ({ ...createSet(), walletId: set.walletId, wraps: [junk] })
    for (const [path, body] of [
      ['ways', junk],
      ['sets', again()],
      ['sets', { ...again(), vault: randomBase64Url(60) }],
      ['sets', { ...again(), vault: randomBase64Url(60), epoch: 2 }],
      ['sets', { ...again(), setId: own.setId }],
    ] as const) {
      const { status } = await young.request('POST', `/shares/v1/${path}`, body)
      expect([400, 403, 409]).toContain(status)
      if ('setId' in body) await young.request('POST', '/shares/v1/sets/commit', { setId: body.setId })
    }
    expect((await owner.request('POST', '/shares/v1/sets/find', {})).body).toMatchObject({ wraps })
    expect((await owner.request('POST', '/shares/v1/ways/list', {})).body).toMatchObject({ ways: [{ id: 'auto' }] })
  })

  test('rejects tokens that the auth service did not sign', async () => {
    const client = await loggedIn('fay@example.org')
    client.use('eyJhbGciOiJub25lIn0.e30.')
    expect((await client.request('POST', '/shares/v1/sets/find', {})).status).toBe(401)
  })

  test('shows a page without a form for an invalid link', async () => {
    const page = await fetch(`${services.sharesUrl}/shares/v1/device?id=x&secret=y`)
    expect(await page.text()).toContain('This link is no longer valid')
    const form = await fetch(`${services.sharesUrl}/shares/v1/device`, { method: 'POST', body: new URLSearchParams() })
    expect(await form.text()).toContain('This link is no longer valid')
  })

  test('rejects the auth service’s own token [V-01]', async () => {
    const client = await createLoginClient(services.sharesUrl, { clock })
    client.use((await tokensOf(client, 'joe@example.org')).accessToken)
    expect(await client.request('POST', '/shares/v1/sets/find', {})).toMatchObject({
      status: 401,
      body: { reasons: [{ field: 'token' }] },
    })
  })

  test('rejects a session that has ended, although its token is still valid [K-08]', async () => {
    const client = await createLoginClient(services.sharesUrl, { clock })
    const { sharesToken, refreshToken } = await tokensOf(client, 'kim@example.org')
    client.use(sharesToken)
    expect((await client.request('POST', '/shares/v1/sets/find', {})).status).toBe(403)
    const auth = await createLoginClient(services.authUrl, { twin: client, clock })
    expect((await auth.request('POST', '/auth/v1/tokens/end', { refreshToken })).status).toBe(200)
    expect(await client.request('POST', '/shares/v1/sets/find', {})).toMatchObject({
      status: 401,
      body: { reasons: [{ field: 'token' }] },
    })
  })

  test.runIf(layout === 'split')('refuses requests while the auth service is down, and ends no session', async () => {
    const find = async (client: LoginClient) => (await client.request('POST', '/shares/v1/sets/find', {})).status
    const before = await loggedIn('gil@example.org')
    // The login is valid, and the device is not approved.
    expect(await find(before)).toBe(403)
    later += 9 * 60_000
    const late = await loggedIn('ida@example.org')
    later += 2 * 60_000
    await services.stop('auth')
    expect(await find(late)).toBe(503)
    expect(await find(before)).toBe(401)
    await services.stop('shares')
    await services.start()
    await services.stop('auth')
    expect(await find(late)).toBe(503)
    await services.start()
    expect(await find(late)).toBe(403)
  })
})
