import { describe, expect, test } from 'vitest'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import { createMailLogin } from './mailLogin.ts'

const request = { email: 'ann@example.org', origin: 'https://app.example' }
const notStarted = { status: 409, field: 'email' }

type Responses = { readonly isKnown: boolean; readonly states?: readonly unknown[]; readonly action?: string }

/** Services that record their requests. Each state of the link is returned once. */
function startLogin({ isKnown, states = ['approved'], action = 'VERIFY_OTP' }: Responses) {
  const left = [...states]
  const calls: unknown[] = []
  const service: ServiceRequest = async (method, path, body) => {
    calls.push([path, body])
    expect(method).toBe('POST')
    if (path === '/auth/v1/codes') return { id: 'code', action }
    if (path === '/shares/v1/links') return { id: 'link', match: 17 }
    if (path === '/auth/v1/codes/redeem') return { user: 'ann' }
    const state = left.shift() ?? expect.fail('one poll too many')
    if (state instanceof Error) throw state
    return { state }
  }
  const login = createMailLogin({
    auth: service,
    shares: service,
    projectId: 'p',
    isKnown: async () => isKnown,
    pause: async () => undefined,
  })
  return { ...login, calls, paths: () => calls.map((call) => (call as readonly unknown[])[0]) }
}

describe('a login by mail', () => {
  test('in a known browser asks for the mailed code only', async () => {
    const login = startLogin({ isKnown: true })
    expect(await login.send(request)).toEqual({ action: 'VERIFY_OTP' })
    await expect(login.awaitDevice()).rejects.toMatchObject(notStarted)
    expect(await login.redeem('123456')).toEqual({ user: 'ann' })
    expect(login.calls).toEqual([
      ['/auth/v1/codes', { ...request, projectId: 'p' }],
      ['/auth/v1/codes/redeem', { id: 'code', email: request.email, code: '123456' }],
    ])
    await expect(login.redeem('123456')).rejects.toMatchObject(notStarted)
  })

  test('in a new browser mails a code once the link is approved, whose digits the user compares', async () => {
    const login = startLogin({ isKnown: false, states: ['open', 'approved'] })
    expect(await login.send(request)).toEqual({ action: 'VERIFY_DEVICE', match: '17' })
    await expect(login.redeem('123456')).rejects.toMatchObject(notStarted)
    const [one, other] = [login.awaitDevice(), login.awaitDevice()]
    await Promise.all([one, other])
    expect(login.calls).toEqual([
      ['/shares/v1/links', { ...request, projectId: 'p' }],
      ['/shares/v1/links/state', { id: 'link' }],
      ['/shares/v1/links/state', { id: 'link' }],
      ['/auth/v1/codes', { ...request, projectId: 'p' }],
    ])
    expect(await login.redeem('123456')).toEqual({ user: 'ann' })
  })

  test('in a browser that the auth service forgot needs the link as well, and mails no second code', async () => {
    const login = startLogin({ isKnown: true, action: 'VERIFY_DEVICE' })
    expect(await login.send(request)).toEqual({ action: 'VERIFY_DEVICE', match: '17' })
    await login.awaitDevice()
    expect(login.paths()).toEqual(['/auth/v1/codes', '/shares/v1/links', '/shares/v1/links/state'])
  })

  test('waits again after a failure', async () => {
    const login = startLogin({ isKnown: false, states: [new Error('unreachable'), 'approved'] })
    await login.send(request)
    await expect(login.awaitDevice()).rejects.toThrow('unreachable')
    await login.awaitDevice()
    expect(login.paths().at(-1)).toBe('/auth/v1/codes')
  })

  test('ends if its link ends, or another login replaces it', async () => {
    const login = startLogin({ isKnown: false, states: ['over', 'approved'] })
    await login.send(request)
    await expect(login.awaitDevice()).rejects.toMatchObject({ status: 410, field: 'link' })
    const replaced = login.send(request).then(async () => {
      const waiting = login.awaitDevice()
      await login.send({ ...request, email: 'ben@example.org' })
      return waiting
    })
    await replaced.catch((error: unknown) => expect(error).toMatchObject(notStarted))
  })

  test('keeps the previous attempt if the mail can’t be sent', async () => {
    const login = startLogin({ isKnown: true })
    await login.send(request)
    const failing = createMailLogin({
      auth: async () => {
        throw new ServiceRefusal(429, 'email', 'Later.')
      },
      shares: async () => ({}),
      projectId: 'p',
      isKnown: async () => true,
      pause: async () => undefined,
    })
    await expect(failing.send(request)).rejects.toMatchObject({ status: 429 })
    await expect(failing.redeem('123456')).rejects.toMatchObject(notStarted)
    expect(await login.redeem('123456')).toEqual({ user: 'ann' })
  })

  test.each([undefined, 'ann', []])('refuses the response %j to a code', async (response) => {
    const { send, redeem } = createMailLogin({
      // A service may send anything.
      auth: async (_, path) => (path.endsWith('redeem') ? (response as never) : { id: 'code' }),
      shares: async () => ({}),
      projectId: 'p',
      isKnown: async () => true,
      pause: async () => undefined,
    })
    await send(request)
    await expect(redeem('123456')).rejects.toMatchObject(notStarted)
  })
})
