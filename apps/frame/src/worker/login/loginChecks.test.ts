import type { FrameSocial } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { KeyShareStores } from '../../wallet/enrol.ts'
import { enterWallet } from './enterWallet.ts'
import { createExternalLogin } from './externalLogin.ts'

const origin = 'http://app.localhost'
const social = { provider: 'google', origin, always: false } as const

type TestResponse = Record<string, unknown> | Error

/** Services that record their requests. The auth service sends the link of the login, and then these responses in turn. */
function startExternal(...responses: readonly TestResponse[]) {
  const left = [...responses]
  const calls: Array<readonly [path: string, body: unknown]> = []
  let time = 0
  let pauses = 0
  const { beginSocial, finish, accept } = createExternalLogin({
    async auth(_, path, body) {
      calls.push([path, body])
      if (path.endsWith('/begin')) {
        const nonce: unknown = Reflect.get(body ?? {}, 'nonce')
        return { id: 'one', uri: `https://google.example/authorize?nonce=${String(nonce)}`, match: '17' }
      }
      const response = left.shift() ?? {}
      if (response instanceof Error) throw response
      return response
    },
    async shares(_, path, body) {
      calls.push([path, body])
      return { id: 'two', uri: 'https://google.example/second' }
    },
    projectId: 'p',
    thumbprint: 'mine',
    farcaster: undefined,
    now: () => time,
    async pause(milliseconds) {
      time += milliseconds
      pauses += 1
    },
  })
  return { beginSocial, finish, accept, calls, pauses: () => pauses, paths: () => calls.map(([path]) => path) }
}

describe('a provider login', () => {
  const begun = (provider: FrameSocial, uri: string) =>
    createExternalLogin({
      auth: async () => ({ id: 'one', uri, match: 17 }),
      shares: async () => ({ id: 'two', uri: 'https://google.example/authorize' }),
      projectId: 'ab'.repeat(16),
      thumbprint: 'mine',
      farcaster: undefined,
      now: () => 0,
      pause: async () => undefined,
    }).beginSocial({ ...social, provider })

  test.each(['google', 'apple', 'facebook'] as const)(
    'fails if the service’s link binds the response of %s to another device [A-11]',
    async (provider) => {
      const refusal = { status: 400, field: 'nonce' }
      await expect(begun(provider, 'https://a.example/?nonce=another')).rejects.toMatchObject(refusal)
      await expect(begun(provider, 'https://a.example/authorize')).rejects.toMatchObject(refusal)
    },
  )

  test('at a provider without verifiable tokens needs no nonce', async () => {
    const uri = 'https://github.example/authorize'
    expect(await begun('github', uri)).toEqual({ uri })
  })

  test('sends a nonce that differs each time, and the share store’s login as the next one', async () => {
    const { beginSocial, calls } = startExternal()
    expect(await beginSocial(social)).toEqual({ uri: expect.stringContaining('nonce='), match: '17' })
    await beginSocial(social)
    const requested = { provider: 'google', projectId: 'p', origin }
    const next = { uri: 'https://google.example/second', always: false }
    const nonce = expect.stringMatching(/^[\w-]{43}$/)
    expect(calls.slice(0, 2)).toEqual([
      ['/shares/v1/social/begin', requested],
      ['/auth/v1/social/begin', { ...requested, nonce, next }],
    ])
    const nonces = calls.map(([, body]) => Reflect.get(Object(body), 'nonce')).filter((each) => each !== undefined)
    expect(new Set(nonces).size).toBe(2)
  })

  test('is finished once, and its window may bring a code for the share store', async () => {
    const done = { state: 'done', continues: true, user: 'ann' }
    const { beginSocial, finish, calls } = startExternal({ state: 'open' }, done)
    await beginSocial(social)
    const results = await Promise.all([finish('social'), finish('social')])
    expect(results[0]).toBe(results[1])
    expect(results[0]).toEqual({ response: done, approval: { kind: 'code', login: 'two', isExpected: true } })
    expect(calls.slice(2)).toEqual([
      ['/auth/v1/social/redeem', { id: 'one' }],
      ['/auth/v1/social/redeem', { id: 'one' }],
    ])
  })

  test('whose window ends early brings no code', async () => {
    const { beginSocial, finish } = startExternal({ state: 'done', continues: 'yes' })
    await beginSocial(social)
    expect((await finish('social')).approval).toMatchObject({ isExpected: false })
  })

  test('accepts the secret of its own window only, and the first one', async () => {
    const { beginSocial, finish, accept, calls } = startExternal({ state: 'done' })
    expect(accept({ id: 'one', secret: 's' })).toBe(false)
    await beginSocial(social)
    expect(accept({ id: 'another', secret: 'wrong' })).toBe(false)
    expect(accept({ id: 'one', secret: 'right' })).toBe(true)
    expect(accept({ id: 'one', secret: 'late' })).toBe(true)
    await finish('social')
    expect(calls.at(-1)).toEqual(['/auth/v1/social/redeem', { id: 'one', secret: 'right' }])
  })

  test('asks at once when the secret arrives, and goes on in the pace of polling', async () => {
    const calls: unknown[] = []
    const waiting: Array<() => void> = []
    const login = createExternalLogin({
      async auth(_, path, body) {
        if (path.endsWith('/begin'))
          return { id: 'one', uri: `https://a.example/?nonce=${Reflect.get(body ?? {}, 'nonce')}` }
        calls.push(body)
        return calls.length < 4 ? {} : { state: 'done' }
      },
      shares: async () => ({ id: 'two', uri: 'u' }),
      projectId: 'p',
      thumbprint: 'mine',
      farcaster: undefined,
      now: () => 0,
      pause: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    })
    await login.beginSocial(social)
    const finished = login.finish('social')
    await expect.poll(() => calls).toHaveLength(1)
    login.accept({ id: 'one', secret: 'right' })
    await expect.poll(() => calls).toHaveLength(2)
    for (const count of [2, 3]) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(calls).toHaveLength(count)
      waiting.at(-1)?.()
      await expect.poll(() => calls).toHaveLength(count + 1)
    }
    await finished
  })

  test('goes on after a rate limit, and again after a failure', async () => {
    const tooMany = new ServiceRefusal(429, 'rate_limited', 'Too many.')
    const { beginSocial, finish } = startExternal(tooMany, new Error('unreachable'), { state: 'done' })
    await beginSocial(social)
    await expect(finish('social')).rejects.toThrow('unreachable')
    expect(await finish('social')).toMatchObject({ response: { state: 'done' } })
  })

  test('ends after fifteen minutes', async () => {
    const { beginSocial, finish, pauses } = startExternal()
    await beginSocial(social)
    await expect(finish('social')).rejects.toMatchObject({ status: 410, field: 'login' })
    expect(pauses()).toBe(900)
  })

  test('ends when another one begins, and is not finished as another kind', async () => {
    const { beginSocial, finish } = startExternal({}, {})
    await expect(finish('social')).rejects.toMatchObject({ status: 409, field: 'login' })
    await beginSocial(social)
    await expect(finish('farcaster')).rejects.toMatchObject({ status: 409, field: 'login' })
    const replaced = finish('social')
    replaced.catch(() => undefined)
    await beginSocial(social)
    await expect(replaced).rejects.toMatchObject({ status: 409, field: 'login' })
  })
})

describe('an existing wallet', () => {
  test('is not replaced if the share store lost it [K-04]', async () => {
    const made: string[] = []
    const refuse = async () => {
      made.push('something')
      throw new ServiceRefusal(500, 'test', 'Nothing may be made.')
    }
    const stores = {
      auth: { own: async () => undefined, prepare: refuse },
      shares: { find: async () => undefined, autoKey: refuse, prepare: refuse },
      device: { read: async () => undefined, write: refuse },
      // Other requests are not expected.
    } as unknown as KeyShareStores
    const entering = enterWallet({ stores, getMethodKey: async () => undefined, isNew: false, now: () => 0 })
    await expect(entering).rejects.toMatchObject({ status: 404, field: 'wallet' })
    expect(made).toEqual([])
  })
})
