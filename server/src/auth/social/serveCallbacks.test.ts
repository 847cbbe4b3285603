import Fastify from 'fastify'
import { AuthorizationResponseError } from 'openid-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderAccount } from '../../custody/identity/providerAccount.ts'
import type { SocialClient } from '../../custody/identity/socialClient.ts'
import type { SocialProvider } from '../../custody/identity/socialProviders.ts'
import { serveCallbacks, type CallbackDependencies } from './serveCallbacks.ts'
import type { ClaimedLogin, Confirmation } from './socialLogins.ts'

const url = 'https://auth.example'
const account = { provider: 'github', subject: '1' } as const
const login: ClaimedLogin = { id: 'the-id', state: 'the-state', nonce: 'the-nonce', verifier: 'verifier', key: 'frame' }
const nextUri = 'https://provider.example/authorize?client_id=2&state=3'
const shown = { origin: 'https://app.example', browser: 'Firefox on Linux', place: 'DE/Berlin', at: 0 }
type Finished = Parameters<SocialClient['finish']>

let app = Fastify({ logger: false })
let claimed: ClaimedLogin
let finished: Finished[]
let calls: unknown[][]
let logged: string[]
let outcome: () => ProviderAccount
let confirmation: Confirmation
let isPageOpen = true
let enrolled: readonly string[]
let frameUrl: (() => string | undefined) | undefined

beforeEach(() => {
  ;[claimed, finished, calls, logged, enrolled] = [login, [], [], [], []]
  outcome = () => account
  confirmation = { state: 'done' }
  isPageOpen = true
  frameUrl = () => 'https://wallet.example/frame/'
  app = Fastify({ logger: { level: 'info', stream: { write: (line: string) => void logged.push(line) } } })
  const client: Pick<SocialClient, 'finish'> = {
    async finish(...given) {
      finished.push(given)
      return outcome()
    },
  }
  serveCallbacks(app, {
    clients: new Map([['github', client] as const, ['apple', client] as const]),
    logins: createLogins(),
    isEnrolled: async ({ subject }, key) => enrolled.includes(`${subject} ${key}`),
    trustedProxies: 1,
    url: () => url,
    get frameUrl() {
      return frameUrl
    },
  })
})
afterEach(() => app.close())

/** Logins that know one login, and record what they are called with. */
function createLogins(): CallbackDependencies['logins'] {
  return {
    claim: async (provider, state) => (provider === 'google' || state !== claimed.state ? undefined : claimed),
    async hold(...given) {
      calls.push(['hold', ...given])
      return { secret: 'the-secret', request: shown }
    },
    async confirm(given) {
      calls.push(['confirm', given])
      return confirmation
    },
    async findRequest({ id, secret }) {
      return isPageOpen && id === 'the-id' && secret === 'the-secret' ? shown : undefined
    },
    async fail(...given) {
      calls.push(['fail', ...given])
    },
  }
}

const visit = (provider: SocialProvider, query: string) =>
  app.inject({ url: `/auth/v1/social/${provider}/callback?${query}` })
const send = (path: string, form: string) =>
  app.inject({
    method: 'POST',
    url: `/auth/v1/social/${path}`,
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '192.0.2.1, 198.51.100.7' },
  })
const enter = (match: string) => send('confirm', `id=the-id&secret=the-secret&match=${match}`)
const redirectUri = (provider: string): string => `${url}/auth/v1/social/${provider}/callback`

describe('the response of a provider', () => {
  test('is exchanged for the account with the secrets of its login, at the address of this provider', async () => {
    await visit('github', 'code=one&state=the-state&state2=x')
    const [[response, secrets] = expect.fail('not finished')] = finished
    expect(Object.fromEntries(response)).toEqual({ code: 'one', state: 'the-state', state2: 'x' })
    expect(secrets).toEqual({ ...login, redirectUri: redirectUri('github') })
    expect(calls).toEqual([['hold', 'the-id', account, undefined]])
  })

  test('that comes as a form is exchanged, too', async () => {
    const { body } = await send('apple/callback', 'code=one&state=the-state')
    expect(body).toContain('value="the-secret"')
    expect(Object.fromEntries(finished[0]?.[0] ?? [])).toEqual({ code: 'one', state: 'the-state' })
    expect(finished[0]?.[1].redirectUri).toBe(redirectUri('apple'))
  })

  test.each([
    ['another state', 'github', 'state=other'],
    ['no state', 'github', 'code=one'],
    ['two states', 'github', 'state=the-state&state=the-state'],
    ['a provider that is not configured', 'discord', 'state=the-state'],
    ['a provider of another login', 'google', 'state=the-state'],
  ] as const)('with %s is not exchanged [A-09] [A-11]', async (_what, provider, query) => {
    const { body } = await visit(provider, query)
    expect(body).toContain('This login has expired')
    expect([finished, calls]).toEqual([[], []])
  })

  test('of more than 16 kB is refused', async () => {
    expect((await send('apple/callback', `state=the-state&code=${'a'.repeat(16_300)}`)).statusCode).toBe(200)
    expect((await send('apple/callback', `state=the-state&code=${'a'.repeat(16_400)}`)).statusCode).toBe(413)
    expect((await send('confirm', `id=${'a'.repeat(16_400)}`)).statusCode).toBe(413)
  })
})

describe('the page of a response', () => {
  test('has the secret for the origin of the frame, and shows the request that began the login', async () => {
    const { body, headers } = await visit('github', 'state=the-state')
    for (const text of ['value="the-id"', 'value="the-secret"', 'https://app.example', 'Berlin']) {
      expect(body).toContain(text)
    }
    expect(body).toContain('<template data-frame="https://wallet.example">')
    expect(body).toContain('action="/auth/v1/social/confirm"')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(body).not.toMatch(/aria-invalid="|<p data-closes|<a data-next/)
  })

  test('hands the secret to no frame if the address of the frame is unknown [A-21]', async () => {
    for (const unknown of [undefined, () => undefined]) {
      frameUrl = unknown
      const { body } = await visit('github', 'state=the-state')
      expect(body).toContain('value="the-secret"')
      expect(body).not.toMatch(/<template|data-frame="/)
    }
  })

  test.each([
    ['for each device', true, ['1 frame'], true],
    ['for a device without a share', false, ['1 other', '2 frame'], true],
    ['not for an enrolled device', false, ['1 frame'], false],
  ])('goes on to the next login: %s', async (_what, always, known, isNext) => {
    claimed = { ...login, next: { uri: nextUri, always } }
    enrolled = known
    const { body } = await visit('github', 'state=the-state')
    expect(calls).toEqual([['hold', 'the-id', account, isNext ? nextUri : undefined]])
    expect(body.includes(`<a data-next href="${nextUri.replaceAll('&', '&amp;')}">`)).toBe(isNext)
    expect(body.split('</template>', 1)[0]?.split('<template')[1]).toMatch(
      isNext ? /One more step/ : /You are logged in/,
    )
  })
})

describe('a login that fails', () => {
  const errorOf = (error: string) => new AuthorizationResponseError('no', { cause: new URLSearchParams({ error }) })

  test('because the user declined ends with this reason', async () => {
    outcome = () => {
      throw errorOf('access_denied')
    }
    const { body } = await visit('github', 'state=the-state')
    expect(body).toMatch(/<p data-closes>/)
    expect(body).toContain('You are not logged in')
    expect(calls).toEqual([['fail', 'the-id', expect.stringContaining('did not allow')]])
    expect(logged.join()).not.toContain('a social login failed')
  })

  test.each([
    [
      'another response',
      () => errorOf('server_error'),
      'AuthorizationResponseError',
      'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
    ],
    [
      'an error with a code',
      () => Object.assign(new TypeError('ann@example.org'), { code: 'OAUTH' }),
      'TypeError',
      'OAUTH',
    ],
    ['an imitation of a refusal', () => ({ error: 'access_denied' }), 'unknown', undefined],
  ])('because of %s is logged without its text, and its page stays open', async (_what, create, name, code) => {
    outcome = () => {
      throw create()
    }
    const { body } = await visit('github', 'state=the-state')
    expect(body).toContain('The login was not completed')
    expect(body).toContain('<p>')
    expect(calls).toEqual([['fail', 'the-id', expect.stringContaining('didn’t confirm')]])
    const entries = logged.map((line): object => JSON.parse(line)).filter((line) => 'provider' in line)
    expect(entries).toMatchObject([{ level: 40, provider: 'github', error: name, msg: 'a social login failed' }])
    expect(entries[0] && Reflect.get(entries[0], 'code')).toBe(code)
    expect(logged.join()).not.toContain('ann@example.org')
  })
})

describe('confirmation digits', () => {
  test('are checked for the network address of the browser that sends them [A-21]', async () => {
    expect((await enter('12')).body).toContain('You are logged in')
    const given = { id: 'the-id', secret: 'the-secret', match: '12', client: '198.51.100.7' }
    expect(calls).toEqual([['confirm', given]])
  })

  test('are cut to 64 characters like the other fields, and empty if they are missing', async () => {
    await send('confirm', `id=${'a'.repeat(65)}&secret=${'b'.repeat(65)}`)
    const given = { id: 'a'.repeat(64), secret: 'b'.repeat(64), match: '', client: '198.51.100.7' }
    expect(calls).toEqual([['confirm', given]])
  })

  test('that are right lead to the next login, if there is one', async () => {
    expect((await enter('12')).body).toContain('<p data-closes>')
    confirmation = { state: 'done', next: nextUri }
    const { body } = await enter('12')
    expect(body).toContain(`<a data-next href="${nextUri.replaceAll('&', '&amp;')}">`)
    expect(body).not.toContain('<p data-closes>')
  })

  test('that are wrong can be entered again, unless the login is over', async () => {
    confirmation = { state: 'wrong', next: nextUri }
    const { body } = await enter('12')
    for (const text of ['aria-invalid="true"', 'value="the-secret"', 'https://app.example'])
      expect(body).toContain(text)
    expect(body).not.toMatch(/data-frame="|a data-next/)
    isPageOpen = false
    expect((await enter('12')).body).toContain('This login has expired')
    confirmation = { state: 'over' }
    const over = (await enter('12')).body
    expect(over).toContain('This login has expired')
    expect(over).not.toContain('<p data-closes>')
  })
})
