import { randomBytes } from 'node:crypto'
import { startIdentity, startMail, type LocalIdentity, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { followCallback, secretOf, visitProvider, type ProviderUser } from '../../testing/visitProvider.ts'
import { computeNonce } from '../../custody/identity/verifyIdToken.ts'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'

const projectId = 'ab'.repeat(16)
const ann = { name: 'Ann Lee', email: 'ann@example.org' }

describe.each(['one', 'split'] as const)('logins at providers, in layout %s', (layout) => {
  let mail: LocalMail
  let identity: LocalIdentity
  let services: LoginServices
  let later = 0
  const clock = { now: () => Date.now() + later }

  // Requests are limited per client, and all tests run on one client.
  beforeEach(() => {
    later += 10_000
  })
  beforeAll(async () => {
    mail = await startMail()
    identity = await startIdentity()
    services = await startLoginServices({ mailUrl: mail.url, layout, clock, socials: identity.socials })
  })
  afterAll(async () => {
    await services.close()
    await identity.close()
    await mail.close()
  })

  async function begin(provider: SocialProvider, frame?: LoginClient) {
    const client = frame ?? (await createLoginClient(services.authUrl, { clock }))
    const random = randomBytes(32)
    const nonce = computeNonce(client.key, random).toString('base64url')
    const requested = { provider, projectId, origin: 'http://app.localhost', nonce }
    const { status, body } = await client.request('POST', '/auth/v1/social/begin', requested)
    expect(status).toBe(200)
    const { id, uri, match } = body as { id: string; uri: string; match: string }
    return { client, id, uri, match, nonce, random }
  }

  const redeem = (client: LoginClient, id: string, secret?: string) =>
    client.request('POST', '/auth/v1/social/redeem', { id, ...(secret !== undefined && { secret }) })

  async function logIn(provider: SocialProvider, user: ProviderUser = ann) {
    const login = await begin(provider)
    expect((await redeem(login.client, login.id)).body).toEqual({ state: 'waiting' })
    const page = await (await followCallback(await visitProvider(login.uri, user))).text()
    return { ...login, page, response: await redeem(login.client, login.id, secretOf(page)) }
  }

  test.each(socialProviders)('begin a session with %s and return its user [R5.3.2]', async (provider) => {
    const { page, response, client } = await logIn(provider)
    expect(page).toContain('You are logged in')
    expect(response.status).toBe(200)
    const { state, user, tokens } = response.body as { state: string; user: object; tokens: { accessToken: string } }
    const saysEmail = provider !== 'facebook'
    const called = {
      apple: ann.email,
      google: ann.name,
      facebook: ann.name,
      github: 'annlee',
      x: 'annlee',
      discord: 'annlee',
    }
    expect(state).toBe('done')
    expect(user).toMatchObject({ social: provider, userName: called[provider], ...(saysEmail && { email: ann.email }) })
    client.use(tokens.accessToken)
    expect((await client.request('GET', '/auth/v1/user')).status).toBe(200)
  })
})
