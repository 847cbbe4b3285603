import { describe, expect, test } from 'vitest'
import { copyPlain } from './copyPlain.ts'
import { frameLimits, frameSocials, frameTimes, type FrameRequestName } from './frameRequests.ts'
import { isFrameRequestName, parseFrameRequest } from './parseFrameRequest.ts'
import { frameError, parseFrameMessage } from './parseFrameMessage.ts'

const parseRequest = (name: string, payload?: unknown, id: unknown = 'one') =>
  parseFrameRequest({ type: `@w3m-app/${name}`, id, payload })
const parseMessage = (name: string, payload?: unknown, id: unknown = 'one') =>
  parseFrameMessage({ type: `@w3m-frame/${name}`, id, payload })

const createLetters = (count: number): string => 'x'.repeat(count)
const createEmail = (length: number): string => `${createLetters(length - 12)}@example.org`
const createEntries = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`--name-${index}`, 'red']))
const longestChain = `${createLetters(8)}:${createLetters(32)}`
const project = { projectId: createLetters(64) }

/** The longest and the shortest valid values of each field. */
const acceptedRequests: ReadonlyArray<readonly [FrameRequestName, unknown]> = [
  ...[1, 31_337, 'eip155:1', 'abc:1', longestChain, '1', '9'.repeat(16), '0x1', `0x${'f'.repeat(14)}`].map(
    (chainId) => ['SWITCH_NETWORK', { chainId }] as const,
  ),
  ['CONNECT_EMAIL', { email: 'a@b' }],
  ['CONNECT_EMAIL', { email: createEmail(254) }],
  ['CONNECT_OTP', { otp: '1' }],
  ['CONNECT_OTP', { otp: '!~'.repeat(16) }],
  ...frameSocials.map((provider) => ['GET_SOCIAL_REDIRECT_URI', { provider }] as const),
  ['CONNECT_SOCIAL', {}],
  ['CONNECT_SOCIAL', { uri: createLetters(8_192), chainId: 1, preferredAccountType: 'smartAccount' }],
  ['GET_USER', { chainId: 'eip155:1', preferredAccountType: 'eoa' }],
  [
    'RPC_REQUEST',
    { method: createLetters(64), params: [null, true, { a: 1 }], chainNamespace: 'solana', chainId: '0x1' },
  ],
  ['RPC_REQUEST', { method: 'Wallet_getCapabilities2' }],
  ['UPDATE_EMAIL', { email: createEmail(254) }],
  ['UPDATE_EMAIL_PRIMARY_OTP', { otp: createLetters(32) }],
  ['UPDATE_EMAIL_SECONDARY_OTP', { otp: createLetters(32) }],
  ['SYNC_THEME', { themeMode: 'light', themeVariables: createEntries(64), w3mThemeVariables: createEntries(64) }],
  ['SYNC_THEME', { themeMode: 'dark', themeVariables: { [createLetters(64)]: createLetters(256) } }],
  ['SYNC_DAPP_DATA', project],
  [
    'SYNC_DAPP_DATA',
    {
      metadata: {
        name: createLetters(256),
        description: createLetters(1_024),
        url: createLetters(2_048),
        icons: Array.from({ length: 8 }, () => createLetters(2_048)),
      },
      sdkVersion: createLetters(64),
      sdkType: createLetters(64),
      ...project,
      language: 'a-Z9'.padEnd(35, 'x'),
    },
  ],
  ['SET_PREFERRED_ACCOUNT', { type: 'eoa' }],
  ['SET_PREFERRED_ACCOUNT', { type: 'smartAccount' }],
  ['RPC_ABORT', {}],
  ['RPC_ABORT', { id: '!~'.repeat(32) }],
  ['OPEN_SCREEN', { screen: 'recovery' }],
  ['OPEN_SCREEN', { screen: 'devices' }],
  ['OPEN_SCREEN', { screen: 'policy' }],
]

/** Values just outside of the limits of each field. */
const refusedRequests: ReadonlyArray<readonly [FrameRequestName, unknown]> = [
  ...[
    0,
    1.5,
    2 ** 53,
    '',
    '0',
    '01',
    '0x',
    '0xg',
    `0x${'f'.repeat(15)}`,
    '9'.repeat(17),
    'ab:1',
    `${createLetters(9)}:1`,
    'EIP155:1',
    'eip155:',
    `eip155:${createLetters(33)}`,
    'eip155:1\n',
    ' eip155:1',
    'eip155:1:2',
    ['eip155:1'],
    null,
  ].map((chainId) => ['SWITCH_NETWORK', { chainId }] as const),
  ['CONNECT_EMAIL', { email: createEmail(255) }],
  ['CONNECT_EMAIL', { email: '@b' }],
  ['CONNECT_EMAIL', { email: 'a@' }],
  ['CONNECT_EMAIL', { email: 'a@b@c' }],
  ['CONNECT_EMAIL', { email: 'a b@c' }],
  ['CONNECT_EMAIL', { email: 'a@b c' }],
  ['CONNECT_EMAIL', [createEmail(20)]],
  ['CONNECT_OTP', { otp: '' }],
  ['CONNECT_OTP', { otp: '12 34' }],
  ['CONNECT_OTP', { otp: 'ä' }],
  ['GET_SOCIAL_REDIRECT_URI', {}],
  ['CONNECT_SOCIAL', undefined],
  ['CONNECT_SOCIAL', { uri: createLetters(8_193) }],
  ['CONNECT_SOCIAL', { chainId: '' }],
  ['CONNECT_SOCIAL', { preferredAccountType: 'multisig' }],
  ['GET_USER', { preferredAccountType: '' }],
  ['GET_USER', 'eip155:1'],
  ['RPC_REQUEST', {}],
  ['RPC_REQUEST', { method: createLetters(65) }],
  ['RPC_REQUEST', { method: '' }],
  ['RPC_REQUEST', { method: '-eth_call' }],
  ['RPC_REQUEST', { method: 'eth_call-' }],
  ['RPC_REQUEST', { method: 'eth_call', chainNamespace: 'cosmos' }],
  ['RPC_REQUEST', { method: 'eth_call', chainId: 'x' }],
  ['UPDATE_EMAIL', {}],
  ['UPDATE_EMAIL_PRIMARY_OTP', {}],
  ['UPDATE_EMAIL_SECONDARY_OTP', {}],
  ['SYNC_THEME', { themeVariables: createEntries(65) }],
  ['SYNC_THEME', { w3mThemeVariables: createEntries(65) }],
  ['SYNC_THEME', { themeVariables: { [createLetters(65)]: 'red' } }],
  ['SYNC_THEME', { themeVariables: { color: createLetters(257) } }],
  ['SYNC_THEME', { themeVariables: { color: 1 } }],
  ['SYNC_THEME', { themeVariables: ['red'] }],
  ['SYNC_THEME', []],
  ['SYNC_DAPP_DATA', { projectId: createLetters(65) }],
  ['SYNC_DAPP_DATA', { ...project, sdkVersion: createLetters(65) }],
  ['SYNC_DAPP_DATA', { ...project, sdkType: createLetters(65) }],
  ['SYNC_DAPP_DATA', { ...project, language: createLetters(36) }],
  ['SYNC_DAPP_DATA', { ...project, language: '' }],
  ['SYNC_DAPP_DATA', { ...project, language: 'de_AT' }],
  ['SYNC_DAPP_DATA', { ...project, language: 'de ' }],
  ['SYNC_DAPP_DATA', { ...project, language: ' de' }],
  ['SYNC_DAPP_DATA', { ...project, metadata: 'Shop' }],
  ['SYNC_DAPP_DATA', { ...project, metadata: { name: createLetters(257) } }],
  ['SYNC_DAPP_DATA', { ...project, metadata: { description: createLetters(1_025) } }],
  ['SYNC_DAPP_DATA', { ...project, metadata: { url: createLetters(2_049) } }],
  ['SYNC_DAPP_DATA', { ...project, metadata: { icons: [createLetters(2_049)] } }],
  ['SYNC_DAPP_DATA', { ...project, metadata: { icons: Array.from({ length: 9 }, () => 'i') } }],
  ['SYNC_DAPP_DATA', { ...project, metadata: { icons: 'icon' } }],
  ['SET_PREFERRED_ACCOUNT', {}],
  ['RPC_ABORT', { id: '' }],
  ['RPC_ABORT', { id: createLetters(65) }],
  ['RPC_ABORT', { id: 'a b' }],
  ['OPEN_SCREEN', {}],
]

/** Requests that carry nothing. */
const empty = [
  'CONNECT_DEVICE',
  'GET_FARCASTER_URI',
  'CONNECT_FARCASTER',
  'IS_CONNECTED',
  'GET_CHAIN_ID',
  'SIGN_OUT',
  'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
  'INIT_SMART_ACCOUNT',
  'RELOAD',
] as const

describe('a request of a page', () => {
  test.each(acceptedRequests)('is accepted at the limits of its fields: %s (%#)', (name, payload) => {
    expect(parseRequest(name, payload)).toEqual({ id: 'one', name, payload })
  })

  test.each(refusedRequests)('is refused beyond the limits of its fields: %s (%#) [I-05]', (name, payload) => {
    expect(parseRequest(name, payload)).toEqual({ id: 'one', name, problem: expect.any(String) })
  })

  test.each(empty)('loses its payload if it needs none: %s', (name) => {
    expect(parseRequest(name, { seed: 'x' })).toEqual({ id: 'one', name, payload: undefined })
  })

  test.each(['CONNECT_SOCIAL', 'GET_USER', 'RPC_ABORT', 'SYNC_THEME'] as const)(
    'may contain null instead of an optional field: %s',
    (name) => {
      const nothing = { chainId: null, preferredAccountType: null, uri: null, id: null, themeMode: null }
      expect(parseRequest(name, nothing)).toEqual({ id: 'one', name, payload: {} })
    },
  )

  test('names the invalid field, and the place in a list', () => {
    expect(parseRequest('CONNECT_EMAIL', { email: '' })).toMatchObject({
      problem: 'email has to be a string of at most 254 characters in the expected format.',
    })
    expect(parseRequest('SYNC_DAPP_DATA', { ...project, metadata: { icons: ['i', 7] } })).toMatchObject({
      problem: 'icons[1] has to be a string of at most 2048 characters.',
    })
    expect(parseRequest('OPEN_SCREEN', { screen: 'x' })).toMatchObject({
      problem: 'screen has to be one of recovery, devices, policy.',
    })
    expect(parseRequest('CONNECT_EMAIL', 7)).toMatchObject({ problem: 'payload has to be an object.' })
  })

  test('has an id of 1 to 64 printable characters', () => {
    expect(parseRequest('IS_CONNECTED', undefined, '!')).toMatchObject({ id: '!' })
    expect(parseRequest('IS_CONNECTED', undefined, '~'.repeat(64))).toBeDefined()
    for (const id of [' ', 'a ', ' a', 'ä', '\u007f', 7, null]) {
      expect(parseRequest('IS_CONNECTED', undefined, id)).toBeUndefined()
    }
  })

  test('has a known name', () => {
    expect(isFrameRequestName('SIGN_OUT')).toBe(true)
    expect(isFrameRequestName('toString')).toBe(false)
    expect(parseRequest('')).toBeUndefined()
  })
})

describe('a copy of plain values', () => {
  const limits = { bytes: 100, depth: 3 }

  test('contains all kinds of JSON values', () => {
    const value = { a: [null, true, false, 0, -1.5, 'text', {}], b: { c: { d: 'deep' } } }
    expect(copyPlain(value, { bytes: 1_000, depth: 4 })).toEqual(value)
    expect(copyPlain(Object.assign(Object.create(null), { a: 1 }), limits)).toEqual({ a: 1 })
    // A hole in a list and a missing property are null and nothing, as in JSON.
    expect(copyPlain([undefined, 1], limits)).toEqual([null, 1])
    expect(copyPlain({ a: undefined, b: 1 }, limits)).toEqual({ b: 1 })
  })

  test.each([Number.NaN, Infinity, -Infinity, 1n, undefined, Symbol('s'), () => 1, new Date(0), /x/, new Error('x')])(
    'contains no %s',
    (value) => {
      expect(copyPlain(value, limits)).toBeUndefined()
      expect(copyPlain([value ?? 1n], limits)).toBeUndefined()
      expect(copyPlain({ a: { b: value ?? 1n } }, limits)).toBeUndefined()
    },
  )

  test('is as deep as its limit, and not deeper', () => {
    expect(copyPlain([[['x']]], limits)).toEqual([[['x']]])
    expect(copyPlain([[[['x']]]], limits)).toBeUndefined()
    expect(copyPlain({ a: { b: { c: 1 } } }, limits)).toEqual({ a: { b: { c: 1 } } })
    expect(copyPlain({ a: { b: { c: {} } } }, limits)).toBeUndefined()
  })

  test('counts two bytes for each value and the length of strings and keys', () => {
    expect(copyPlain(createLetters(98), limits)).toBe(createLetters(98))
    expect(copyPlain(createLetters(99), limits)).toBeUndefined()
    expect(copyPlain({ [createLetters(96)]: 1 }, limits)).toEqual({ [createLetters(96)]: 1 })
    expect(copyPlain({ [createLetters(97)]: 1 }, limits)).toBeUndefined()
    expect(copyPlain({ [createLetters(99)]: undefined }, limits)).toBeUndefined()
    const list = (length: number): number[] => Array.from({ length }, () => 1)
    expect(copyPlain(list(49), limits)).toHaveLength(49)
    expect(copyPlain(list(50), limits)).toBeUndefined()
    expect(copyPlain(list(99), limits)).toBeUndefined()
  })

  test('has no accessors', () => {
    expect(copyPlain(Object.defineProperty({}, 'a', { enumerable: true, get: () => 1 }), limits)).toBeUndefined()
  })
})

const address = createLetters(128)
const user = { address: 'x', chainId: 1 }

const acceptedMessages: ReadonlyArray<readonly [FrameRequestName, unknown]> = [
  ['SWITCH_NETWORK', { chainId: longestChain }],
  ...['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT'].map((action) => ['CONNECT_EMAIL', { action }] as const),
  ['CONNECT_EMAIL', { action: 'VERIFY_DEVICE', match: '12345678' }],
  ['GET_SOCIAL_REDIRECT_URI', { uri: createLetters(8_192), match: '1' }],
  ['GET_FARCASTER_URI', { url: createLetters(8_192) }],
  ['CONNECT_FARCASTER', { userName: createLetters(320) }],
  ...(['GET_USER', 'CONNECT_SOCIAL'] as const).map(
    (name) =>
      [
        name,
        {
          email: createLetters(320),
          userName: createLetters(320),
          address,
          chainId: 'eip155:1',
          smartAccountDeployed: false,
          accounts: Array.from({ length: 8 }, () => ({ type: 'smartAccount', address })),
          preferredAccountType: 'eoa',
        },
      ] as const,
  ),
  ['GET_USER', { address: 'aZ9', chainId: 1 }],
  ['IS_CONNECTED', { isConnected: true }],
  ['IS_CONNECTED', { isConnected: false }],
  ['GET_CHAIN_ID', { chainId: 1 }],
  ['RPC_REQUEST', { any: ['thing'] }],
  ['UPDATE_EMAIL', { action: 'VERIFY_PRIMARY_OTP' }],
  ['UPDATE_EMAIL', { action: 'VERIFY_SECONDARY_OTP' }],
  ['UPDATE_EMAIL_SECONDARY_OTP', { newEmail: createLetters(320) }],
  ['GET_SMART_ACCOUNT_ENABLED_NETWORKS', { smartAccountEnabledNetworks: Array.from({ length: 256 }, (_, at) => at) }],
  ['INIT_SMART_ACCOUNT', { address, isDeployed: true }],
  ['SET_PREFERRED_ACCOUNT', { type: 'eoa', address }],
]

const refusedMessages: ReadonlyArray<readonly [FrameRequestName, unknown]> = [
  ['SWITCH_NETWORK', {}],
  ['CONNECT_EMAIL', {}],
  ['CONNECT_EMAIL', { action: '' }],
  ['CONNECT_EMAIL', { action: 'CONNECT', match: '' }],
  ['CONNECT_EMAIL', { action: 'CONNECT', match: '123456789' }],
  ['CONNECT_EMAIL', { action: 'CONNECT', match: 'a1' }],
  ['CONNECT_EMAIL', { action: 'CONNECT', match: '1a' }],
  ['GET_SOCIAL_REDIRECT_URI', {}],
  ['GET_SOCIAL_REDIRECT_URI', { uri: createLetters(8_193) }],
  ['GET_SOCIAL_REDIRECT_URI', { uri: 'x', match: '1 ' }],
  ['GET_FARCASTER_URI', {}],
  ['GET_FARCASTER_URI', { url: createLetters(8_193) }],
  ['CONNECT_FARCASTER', {}],
  ['CONNECT_FARCASTER', { userName: createLetters(321) }],
  ['CONNECT_SOCIAL', {}],
  ['GET_USER', { ...user, address: '' }],
  ['GET_USER', { ...user, address: createLetters(129) }],
  ['GET_USER', { ...user, address: 'x>' }],
  ['GET_USER', { ...user, address: '<x' }],
  ['GET_USER', { address: 'x' }],
  ['GET_USER', { ...user, email: createLetters(321) }],
  ['GET_USER', { ...user, userName: 7 }],
  ['GET_USER', { ...user, smartAccountDeployed: 'no' }],
  ['GET_USER', { ...user, accounts: Array.from({ length: 9 }, () => ({ type: 'eoa', address })) }],
  ['GET_USER', { ...user, accounts: [{ type: 'eoa' }] }],
  ['GET_USER', { ...user, accounts: [{ address }] }],
  ['GET_USER', { ...user, preferredAccountType: 'x' }],
  ['IS_CONNECTED', {}],
  ['IS_CONNECTED', { isConnected: 1 }],
  ['GET_CHAIN_ID', {}],
  ['UPDATE_EMAIL', { action: 'x' }],
  ['UPDATE_EMAIL_SECONDARY_OTP', {}],
  ['GET_SMART_ACCOUNT_ENABLED_NETWORKS', {}],
  ...[[-1], [1.5], ['1'], [2 ** 53], Array.from({ length: 257 }, () => 1)].map(
    (smartAccountEnabledNetworks) => ['GET_SMART_ACCOUNT_ENABLED_NETWORKS', { smartAccountEnabledNetworks }] as const,
  ),
  ['INIT_SMART_ACCOUNT', { address }],
  ['INIT_SMART_ACCOUNT', { isDeployed: true }],
  ['SET_PREFERRED_ACCOUNT', { type: 'eoa' }],
  ['SET_PREFERRED_ACCOUNT', { address }],
]

describe('a response of the frame', () => {
  test.each(acceptedMessages)('is accepted at the limits of its fields: %s (%#)', (name, payload) => {
    expect(parseMessage(`${name}_SUCCESS`, payload)).toEqual({ kind: 'response', name, id: 'one', payload })
  })

  test.each(refusedMessages)('is invalid beyond the limits of its fields: %s (%#)', (name, payload) => {
    expect(parseMessage(`${name}_SUCCESS`, payload)).toEqual({ kind: 'invalid', name, id: 'one' })
  })

  test.each([
    'CONNECT_DEVICE',
    'CONNECT_OTP',
    'SIGN_OUT',
    'UPDATE_EMAIL_PRIMARY_OTP',
    'SYNC_THEME',
    'SYNC_DAPP_DATA',
    'RELOAD',
    'RPC_ABORT',
    'OPEN_SCREEN',
  ] as const)('loses its payload if the page needs none: %s', (name) => {
    expect(parseMessage(`${name}_SUCCESS`, { seed: 'x' })).toEqual({
      kind: 'response',
      name,
      id: 'one',
      payload: undefined,
    })
  })

  test('has exactly the type of a response', () => {
    for (const type of [
      'SIGN_OUT',
      'SIGN_OUT_SUCCESS ',
      ' SIGN_OUT_SUCCESS',
      'xSIGN_OUT_SUCCESS',
      'SIGN_OUT_SUCCESS_SUCCESS',
    ]) {
      expect(parseMessage(type)).toBeUndefined()
    }
    expect(parseMessage('SIGN_OUT_SUCCESS', undefined, 7)).toBeUndefined()
    expect(parseFrameMessage({ type: 7, id: 'one' })).toBeUndefined()
    expect(parseFrameMessage({ type: 'w3m-frame/SIGN_OUT_SUCCESS', id: 'one' })).toBeUndefined()
  })

  test('may contain much more than a request, and is limited as well', () => {
    const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(parseMessage('RPC_REQUEST_SUCCESS', nested(32))).toMatchObject({ kind: 'response' })
    expect(parseMessage('RPC_REQUEST_SUCCESS', nested(33))).toEqual({ kind: 'invalid', name: 'RPC_REQUEST', id: 'one' })
    expect(parseMessage('RPC_REQUEST_SUCCESS', createLetters(frameLimits.bytes))).toMatchObject({ kind: 'response' })
    expect(parseMessage('RPC_REQUEST_SUCCESS', createLetters(2 ** 24 - 2))).toMatchObject({ kind: 'response' })
    expect(parseMessage('RPC_REQUEST_SUCCESS', createLetters(2 ** 24 - 1))).toMatchObject({ kind: 'invalid' })
  })
})

describe('an error of the frame', () => {
  const usual = { kind: 'error', name: 'SIGN_OUT', id: 'one', message: 'An error occurred' }

  test.each([
    [{ message: createLetters(2_048) }, { message: createLetters(2_048) }],
    [{ message: createLetters(2_049) }, {}],
    [
      { message: 'No', code: 4001, localizedMessage: createLetters(2_048) },
      { message: 'No', code: 4001, localizedMessage: createLetters(2_048) },
    ],
    [{ message: 'No', localizedMessage: createLetters(2_049) }, {}],
    [{ message: 'No', code: '4001', localizedMessage: '' }, { message: 'No' }],
    ['No', {}],
    [undefined, {}],
  ])('keeps valid details only (%#)', (payload, expected) => {
    expect(parseMessage('SIGN_OUT_ERROR', payload)).toEqual({ ...usual, ...expected })
  })

  test('is formatted without missing details', () => {
    const requested = { id: 'one', name: 'SIGN_OUT' } as const
    expect(frameError(requested, 'No')).toEqual({
      type: '@w3m-frame/SIGN_OUT_ERROR',
      id: 'one',
      payload: { message: 'No' },
    })
    expect(Object.keys(frameError(requested, 'No').payload)).toEqual(['message'])
  })
})

describe('an event of the frame', () => {
  test.each([
    ['READY', { version: createLetters(320) }],
    ['SCREEN', { open: true }],
    ['SCREEN', { open: false, height: 0 }],
    ['CHANGED', { isConnected: true }],
    ['OPENING', {}],
  ] as const)('is accepted with valid fields: %s (%#)', (name, payload) => {
    expect(parseMessage(name, payload)).toEqual({ kind: 'event', name, payload })
  })

  test.each([
    ['READY', { version: createLetters(321) }],
    ['READY', 7],
    ['READY', new Date(0)],
    ['SCREEN', {}],
    ['SCREEN', { open: true, height: -1 }],
    ['SCREEN', undefined],
    ['CHANGED', {}],
    ['OPENING', undefined],
    ['toString', {}],
  ] as const)('is ignored otherwise: %s (%#)', (name, payload) => {
    expect(parseMessage(name, payload)).toBeUndefined()
  })
})

test('the documented limits hold', () => {
  expect(frameLimits).toEqual({ bytes: 65_536, depth: 16, open: 32, perSecond: 20, burst: 40, id: 64 })
  expect(frameTimes).toEqual({ login: 30_000, settle: 500, ready: 20_000, signOut: 3_000, mailCooldown: 30_000 })
  const nested = (depth: number): unknown => ({
    method: 'a',
    params: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`),
  })
  expect(parseRequest('RPC_REQUEST', nested(15))).toHaveProperty('payload')
  expect(parseRequest('RPC_REQUEST', nested(16))).toHaveProperty('problem', expect.stringContaining('too deep'))
})
