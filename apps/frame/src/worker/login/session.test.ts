import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { HolderUser } from '../keyHolder.ts'
import { openDevice } from '../storage/device.ts'
import { createMemoryStore } from '../storage/holderStore.ts'
import { createSession, parseTokens, type Tokens } from './session.ts'

const now = 1_800_000_000_000
const user: HolderUser = { id: 'ann', email: 'ann@example.org', accounts: [] }
const tokenOf = (exp: unknown): string => `h.${btoa(JSON.stringify({ exp })).replaceAll('=', '')}.s`
const fresh = tokenOf(now / 1_000 + 31)
const tokensOf = (name: string, accessToken = fresh): Tokens => ({
  accessToken,
  sharesToken: `${name} shares`,
  refreshToken: `${name} refresh`,
})
const ended = { status: 401, body: { reasons: [{ field: 'token', description: 'Log in again.' }] } }
const refused = { status: 401, body: { reasons: [{ field: 'code', description: 'Wrong.' }] } }

type TestResponse = { readonly status?: number; readonly body: object }

/** Services that record path, token and content of each request, and send the responses in turn. */
function startServices(...responses: readonly TestResponse[]) {
  const left = [...responses]
  const calls: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    const sent = init.body === undefined ? undefined : JSON.parse(String(init.body))
    const token = sent?.accessToken ?? headers.get('authorization') ?? undefined
    calls.push([url, headers.get('accept-language'), token, sent?.content])
    const { status = 200, body } = left.shift() ?? expect.fail('one request too many')
    return new Response(JSON.stringify(body), { status })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return calls
}

/** @param wait what happens while the session waits for its turn */
async function openSession(store = createMemoryStore(), wait: () => Promise<void> = async () => undefined) {
  const device = await openDevice(store)
  let alone = 0
  const session = createSession({
    device,
    store,
    authUrl: 'https://auth.example',
    now: () => now,
    language: () => 'de',
    alone: async (act) => {
      alone += 1
      await wait()
      return act()
    },
  })
  return { ...session, store, device, alone: () => alone }
}

const unauthorised = { status: 401, field: 'token' }

describe('a session', () => {
  test('survives a reload only once it has a user, and not in the clear', async () => {
    const store = createMemoryStore()
    const session = await openSession(store)
    expect(await session.user()).toBeUndefined()
    session.begin(tokensOf('one'))
    await session.replaceTokens(tokensOf('two'))
    expect(await (await openSession(store)).user()).toBeUndefined()
    await session.save(user)
    expect(await session.user()).toEqual(user)
    const again = await openSession(store)
    expect(await again.user()).toEqual(user)
    expect(Buffer.from(JSON.stringify(await store.read('session'))).toString()).not.toContain('refresh')
  })

  test('is not stored without a login', async () => {
    const session = await openSession()
    await session.save(user)
    expect(await session.user()).toBeUndefined()
  })

  test.each(['7', 'null'])('is none if the stored entry is %s', async (json) => {
    const store = createMemoryStore()
    const device = await openDevice(store)
    await store.write({ session: await device.encrypt('session', new TextEncoder().encode(json)) })
    expect(await (await openSession(store)).user()).toBeUndefined()
  })

  test('of a new login replaces the stored one', async () => {
    const store = createMemoryStore()
    const session = await openSession(store)
    session.begin(tokensOf('one'))
    await session.save(user)
    const again = await openSession(store)
    again.begin(tokensOf('two'))
    expect(await again.user()).toBeUndefined()
  })

  test('ends here before the auth service hears of it', async () => {
    const session = await openSession()
    const calls = startServices({ body: {} })
    session.begin(tokensOf('one'))
    await session.save(user)
    await session.end()
    expect(calls).toEqual([
      ['https://auth.example/auth/v1/tokens/end', 'de', undefined, { refreshToken: 'one refresh' }],
    ])
    expect(await session.user()).toBeUndefined()
    expect(await session.store.read('session')).toBeUndefined()
    await session.end()
    expect(calls).toHaveLength(1)
  })
})

describe('a request', () => {
  test('without a login is refused here', async () => {
    const { request } = await openSession()
    await expect(request('https://auth.example')('GET', '/auth/v1/user')).rejects.toMatchObject(unauthorised)
  })

  test('gives each service its own token only', async () => {
    const session = await openSession()
    const calls = startServices({ body: {} }, { body: {} }, { body: {} })
    session.begin(tokensOf('one'))
    await session.request('https://one.example')('POST', '/shares/v1/find', { a: 1 })
    await session.request('https://one.example')('GET', '/auth/v1/user')
    await session.requestWithoutLogin('https://one.example')('POST', '/shares/v1/find', {})
    expect(calls).toEqual([
      ['https://one.example/shares/v1/find', 'de', 'one shares', { a: 1 }],
      ['https://one.example/auth/v1/user', 'de', `DPoP ${fresh}`, undefined],
      ['https://one.example/shares/v1/find', 'de', undefined, {}],
    ])
  })

  test.each([
    ['expires within half a minute', tokenOf(now / 1_000 + 30)],
    ['names no time', tokenOf('soon')],
    ['has no claims', 'token'],
    ['is not JSON', 'h.e30x.s'],
  ])('renews a token first that %s', async (_, accessToken) => {
    const session = await openSession()
    const calls = startServices({ body: tokensOf('two') }, { body: { id: 'ann' } })
    session.begin(tokensOf('one', accessToken))
    await session.save(user)
    expect(await session.request('https://auth.example')('POST', '/shares/v1/find', {})).toEqual({ id: 'ann' })
    expect(calls).toEqual([
      ['https://auth.example/auth/v1/tokens', 'de', undefined, { refreshToken: 'one refresh' }],
      ['https://auth.example/shares/v1/find', 'de', 'two shares', {}],
    ])
    expect(session.alone()).toBe(1)
    expect(await (await openSession(session.store)).user()).toEqual(user)
  })

  test('accepts a token with claims in base64url', async () => {
    const session = await openSession()
    startServices({ body: {} })
    const claims = Buffer.from(JSON.stringify({ a: '?>?>?>~~~', exp: now / 1_000 + 31 })).toString('base64url')
    expect(claims).toMatch(/[-_]/)
    session.begin(tokensOf('one', `h.${claims}.s`))
    await session.request('https://auth.example')('GET', '/auth/v1/user')
    expect(session.alone()).toBe(0)
  })

  test('renews a refused token once', async () => {
    const session = await openSession()
    const calls = startServices(ended, { body: tokensOf('two') }, ended)
    session.begin(tokensOf('one'))
    await expect(session.request('https://auth.example')('POST', '/shares/v1/find', {})).rejects.toMatchObject(
      unauthorised,
    )
    expect(calls).toHaveLength(3)
  })

  test.each([
    ['another refusal', refused, { status: 401, field: 'code' }],
    [
      'a refusal of the device',
      { status: 403, body: { reasons: [{ field: 'token', description: 'No.' }] } },
      { status: 403 },
    ],
    ['a broken service', { status: 500, body: {} }, { code: 'http/status' }],
  ])('is not sent again after %s', async (_, response, error) => {
    const session = await openSession()
    const calls = startServices(response)
    session.begin(tokensOf('one'))
    await expect(session.request('https://auth.example')('GET', '/auth/v1/user')).rejects.toMatchObject(error)
    expect(calls).toHaveLength(1)
  })

  test('uses the tokens that another window has renewed', async () => {
    const store = createMemoryStore()
    const [one, other] = [await openSession(store), await openSession(store)]
    one.begin(tokensOf('one'))
    await one.save(user)
    expect(await other.user()).toEqual(user)
    await one.replaceTokens(tokensOf('two'))
    const calls = startServices(ended, { body: {} })
    await other.request('https://auth.example')('POST', '/shares/v1/find', {})
    expect(calls.map((call) => (call as readonly unknown[])[2])).toEqual(['one shares', 'two shares'])
  })

  test('renews the tokens of another window that have expired, too', async () => {
    const store = createMemoryStore()
    const [one, other] = [await openSession(store), await openSession(store)]
    one.begin(tokensOf('one'))
    await one.save(user)
    await other.user()
    await one.replaceTokens(tokensOf('two', tokenOf(0)))
    const calls = startServices(ended, { body: tokensOf('three') }, { body: {} })
    await other.request('https://auth.example')('POST', '/shares/v1/find', {})
    expect(calls[1]).toEqual(['https://auth.example/auth/v1/tokens', 'de', undefined, { refreshToken: 'two refresh' }])
  })

  test('of a login that is not stored yet renews its own tokens, not those of the previous user', async () => {
    const store = createMemoryStore()
    const session = await openSession(store)
    session.begin(tokensOf('one'))
    await session.save(user)
    session.begin(tokensOf('two', tokenOf(0)))
    const calls = startServices({ body: tokensOf('three') }, { body: {} })
    await session.request('https://auth.example')('POST', '/shares/v1/find', {})
    expect(calls[0]).toEqual(['https://auth.example/auth/v1/tokens', 'de', undefined, { refreshToken: 'two refresh' }])
  })

  test.each([
    ['forgets a session that has ended', ended, undefined],
    ['keeps a session that could not be renewed', { status: 500, body: {} }, user],
  ])('%s', async (_, response, left) => {
    const session = await openSession()
    startServices(response)
    session.begin(tokensOf('one', tokenOf(0)))
    await session.save(user)
    await expect(session.request('https://auth.example')('GET', '/auth/v1/user')).rejects.toThrow(Error)
    expect(await session.user()).toEqual(left)
    expect((await session.store.read('session')) !== undefined).toBe(left !== undefined)
  })

  test('that waits for a session which ends meanwhile is refused', async () => {
    const session = await openSession(undefined, () => session.end())
    const calls = startServices({ body: {} })
    session.begin(tokensOf('one', tokenOf(0)))
    await expect(session.request('https://auth.example')('GET', '/auth/v1/user')).rejects.toMatchObject(unauthorised)
    expect(calls).toHaveLength(1)
  })
})

test.each(['accessToken', 'sharesToken', 'refreshToken'])('a response without %s has no tokens', (name) => {
  expect(() => parseTokens({ ...tokensOf('one'), [name]: 7 })).toThrow('The response has no tokens.')
  expect(() => parseTokens(undefined)).toThrow('The response has no tokens.')
  expect(parseTokens({ ...tokensOf('one'), other: 1 })).toEqual(tokensOf('one'))
})
