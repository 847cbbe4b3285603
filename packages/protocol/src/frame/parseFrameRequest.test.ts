import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frameLimits } from './frameRequests.ts'
import { frameRequest, parseFrameRequest } from './parseFrameRequest.ts'

const createMessage = (name: string, payload?: unknown, id: unknown = 'one') => ({
  type: `@w3m-app/${name}`,
  id,
  payload,
})

describe('parseFrameRequest', () => {
  test('parses known fields and drops unknown ones', () => {
    const payload = { email: 'ann@example.org', token: 'secret', rpcUrl: 'https://evil.example' }
    expect(parseFrameRequest(createMessage('CONNECT_EMAIL', payload))).toEqual({
      id: 'one',
      name: 'CONNECT_EMAIL',
      payload: { email: 'ann@example.org' },
    })
    const rpc = { method: 'eth_call', params: [{ to: '0x' }, 'latest'], rpcUrl: 'https://evil.example', chainId: 1 }
    expect(parseFrameRequest(createMessage('RPC_REQUEST', rpc))).toEqual({
      id: 'one',
      name: 'RPC_REQUEST',
      payload: { method: 'eth_call', params: [{ to: '0x' }, 'latest'], chainId: 1 },
    })
  })

  test('parses formatted messages to the same values', () => {
    expect(parseFrameRequest(frameRequest('SWITCH_NETWORK', 'x', { chainId: 'eip155:31337' }))).toEqual({
      id: 'x',
      name: 'SWITCH_NETWORK',
      payload: { chainId: 'eip155:31337' },
    })
    expect(parseFrameRequest(frameRequest('SIGN_OUT', 'y', undefined))).toEqual({ id: 'y', name: 'SIGN_OUT' })
  })

  test.each([
    ['another’s type', { type: 'webpackOk', id: 'one' }],
    ['an unknown name', createMessage('GET_SEED')],
    ['a name of all objects', createMessage('constructor')],
    ['more than the type', createMessage('IS_CONNECTED ')],
    ['a type inside another', { type: 'x@w3m-app/IS_CONNECTED', id: 'one' }],
    ['a frame’s type', { type: '@w3m-frame/IS_CONNECTED_SUCCESS', id: 'one' }],
    ['no id', { type: '@w3m-app/IS_CONNECTED' }],
    ['an empty id', createMessage('IS_CONNECTED', undefined, '')],
    ['a long id', createMessage('IS_CONNECTED', undefined, 'x'.repeat(65))],
    ['an id that cannot be printed', createMessage('IS_CONNECTED', undefined, 'a\nb')],
    ['a number', 7],
    ['null', null],
    ['a type that is inherited', Object.create({ type: '@w3m-app/IS_CONNECTED', id: 'one' })],
  ])('returns undefined for a message with %s [I-05]', (_, data) => {
    expect(parseFrameRequest(data)).toBeUndefined()
  })

  const cyclic: Record<string, unknown> = { email: 'ann@example.org' }
  cyclic.self = cyclic
  const wide: unknown[] = []
  wide.push(wide, wide, wide)
  const deep = JSON.parse(`${'['.repeat(17)}${']'.repeat(17)}`)

  test.each([
    ['CONNECT_EMAIL', {}],
    ['CONNECT_EMAIL', undefined],
    ['CONNECT_EMAIL', { email: 7 }],
    ['CONNECT_EMAIL', { email: 'nobody' }],
    ['CONNECT_EMAIL', { email: 'ann@example.org\r\nBcc: eve@example.org' }],
    ['CONNECT_EMAIL', cyclic],
    ['CONNECT_EMAIL', new Map([['email', 'ann@example.org']])],
    ['CONNECT_OTP', { otp: 'x'.repeat(33) }],
    ['GET_SOCIAL_REDIRECT_URI', { provider: 'myspace' }],
    ['SET_PREFERRED_ACCOUNT', { type: '__proto__' }],
    ['SWITCH_NETWORK', { chainId: 'eip155:1/../2' }],
    ['SWITCH_NETWORK', { chainId: -1 }],
    ['RPC_REQUEST', { method: 'eth call' }],
    ['RPC_REQUEST', { method: 'eth_call', params: wide }],
    ['RPC_REQUEST', { method: 'eth_call', params: deep }],
    ['RPC_REQUEST', { method: 'eth_call', params: ['x'.repeat(frameLimits.bytes)] }],
    ['RPC_REQUEST', { method: 'eth_call', params: [new Uint8Array(8)] }],
    ['RPC_REQUEST', { method: 'eth_call', params: [1n] }],
    ['RPC_REQUEST', { method: 'eth_call', params: Object.assign([], { length: 2 ** 31 }) }],
    ['SYNC_THEME', { themeMode: 'blue' }],
    ['SYNC_DAPP_DATA', { metadata: {} }],
    ['OPEN_SCREEN', { screen: 'export' }],
  ])('returns a problem for %s with an invalid payload (%#) [I-05]', (name, payload) => {
    expect(parseFrameRequest(createMessage(name, payload))).toEqual({ id: 'one', name, problem: expect.any(String) })
  })

  test.each([
    ['SYNC_THEME', (value: unknown) => ({ themeMode: value }), ['light', 'dark']],
    ['SET_PREFERRED_ACCOUNT', (value: unknown) => ({ type: value }), ['eoa', 'smartAccount']],
    ['GET_USER', (value: unknown) => ({ preferredAccountType: value }), ['eoa', 'smartAccount']],
  ] as const)('accepts two values in %s, and no other text [R5.3.3]', (name, payload, accepted) => {
    for (const value of accepted)
      expect(parseFrameRequest(createMessage(name, payload(value)))).not.toHaveProperty('problem')
    for (const value of ['', 'Dark', 'EOA', 'system', 'smartaccount', `${accepted[0]} `, 1, [accepted[0]]])
      expect(parseFrameRequest(createMessage(name, payload(value)))).toHaveProperty('problem')
  })

  test('leaves prototypes unchanged when payload keys are __proto__ or constructor [I-05]', () => {
    const payload: unknown = JSON.parse(
      '{"method":"eth_call","params":{"__proto__":{"polluted":1},"constructor":{"a":1}}}',
    )
    const read = parseFrameRequest(createMessage('RPC_REQUEST', payload))
    const params: unknown =
      read !== undefined && 'payload' in read && read.name === 'RPC_REQUEST' && read.payload.params
    expect(params).toEqual({ constructor: { a: 1 } })
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
    expect(params).not.toHaveProperty('polluted')
  })

  test('runs no getters of the payload and never throws [I-05]', () => {
    let ran = false
    const trap = Object.defineProperty({ type: '@w3m-app/CONNECT_EMAIL', id: 'one' }, 'payload', {
      get: () => (ran = true),
    })
    parseFrameRequest(trap)
    parseFrameRequest(
      createMessage('CONNECT_EMAIL', Object.defineProperty({}, 'email', { enumerable: true, get: () => (ran = true) })),
    )
    expect(ran).toBe(false)
    const names = fc.constantFrom(
      'CONNECT_EMAIL',
      'RPC_REQUEST',
      'SYNC_THEME',
      'SYNC_DAPP_DATA',
      'GET_USER',
      'RPC_ABORT',
    )
    fc.assert(
      fc.property(names, fc.anything({ withMap: true, withDate: true, withTypedArray: true }), (name, payload) => {
        expect(parseFrameRequest(createMessage(name, payload))).toMatchObject({ id: 'one', name })
      }),
    )
  })
})
