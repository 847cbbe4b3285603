import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createAuthPayload,
  listSignedMethods,
  parseAuthPayload,
  restrictAuthPayload,
  type SignIn,
} from './authPayload.ts'
import { formatRecap, findRecap } from './recap.ts'

const chains = ['eip155:1', 'eip155:10'] as const
const now = Date.UTC(2026, 0, 1)
const signIn: SignIn = { domain: 'app.example', uri: 'https://app.example/login', nonce: 'abcdef0123456789' }

const abilities = fc.uniqueArray(fc.stringMatching(/^[a-z][a-zA-Z_]{0,12}$/))

describe('createAuthPayload', () => {
  test('contains the request and its time', () => {
    expect(createAuthPayload({ ...signIn, statement: 'Hello.' }, chains, [], now)).toEqual({
      type: 'caip122',
      chains,
      domain: 'app.example',
      aud: 'https://app.example/login',
      version: '1',
      nonce: 'abcdef0123456789',
      iat: '2026-01-01T00:00:00.000Z',
      statement: 'Hello.',
    })
  })

  test('adds methods as a ReCap at the end of the resources', () => {
    const { resources } = createAuthPayload(
      { ...signIn, resources: ['https://a.example'] },
      chains,
      ['personal_sign'],
      now,
    )
    expect(resources).toEqual(['https://a.example', expect.stringMatching(/^urn:recap:[\w-]+$/)])
    expect(findRecap(resources ?? [])).toEqual({ att: { eip155: { 'request/personal_sign': [{ chains }] } } })
  })

  test('merges methods into an existing ReCap', () => {
    const known = { att: { 'https://a.example': { 'crud/read': [{}] }, eip155: { 'request/eth_sign': [{}] } } }
    const { resources } = createAuthPayload(
      { ...signIn, resources: [formatRecap(known)] },
      chains,
      ['personal_sign'],
      now,
    )
    expect(resources).toHaveLength(1)
    expect(findRecap(resources ?? [])?.att).toEqual({
      'https://a.example': { 'crud/read': [{}] },
      eip155: { 'request/eth_sign': [{}], 'request/personal_sign': [{ chains }] },
    })
  })

  test('round-trips through JSON', () => {
    const complete = { ...signIn, statement: 'Hello.', nbf: '2026-01-01T00:00:00Z', exp: '2026-01-02T00:00:00Z' }
    const payload = createAuthPayload(complete, chains, ['personal_sign'], now)
    expect(parseAuthPayload(JSON.parse(JSON.stringify(payload)))).toEqual(payload)
  })

  test.each<[string, Partial<SignIn>]>([
    ['statement must not contain a line break', { statement: 'a\nb' }],
    ['domain must not contain a line break', { domain: 'app.example\r' }],
    ['resources must not contain a line break', { resources: ['https://a.example\n- https://b.example'] }],
    ['nonce must have eight or more letters and digits', { nonce: 'abcdef0' }],
    ['nonce must have eight or more letters and digits', { nonce: 'abcdef0-' }],
  ])('throws: %s', (problem, invalid) => {
    expect(() => createAuthPayload({ ...signIn, ...invalid }, chains, [], now)).toThrow(problem)
  })

  test('throws without chains and for chains of another namespace', () => {
    expect(() => createAuthPayload(signIn, [], [], now)).toThrow('chains must be one or more of eip155')
    expect(() => createAuthPayload(signIn, ['eip155:1', 'solana:x'], [], now)).toThrow(
      'chains must be one or more of eip155',
    )
  })

  test('is not parsed from malformed values', () => {
    const payload = createAuthPayload(signIn, chains, [], now)
    const invalid = [
      { type: 'eip4361' },
      { chains: [] },
      { chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] },
      { chains: 'eip155:1' },
      { nonce: undefined },
      { statement: 'a\nb' },
      { resources: [1] },
    ]
    for (const each of invalid) expect(() => parseAuthPayload({ ...payload, ...each })).toThrow('sign-in')
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => parseAuthPayload(value)).toThrow('sign-in')
      }),
    )
  })
})

describe('restrictAuthPayload', () => {
  test('leaves no more than requested and allowed', () => {
    fc.assert(
      fc.property(abilities, abilities, fc.subarray([...chains]), (requested, allowed, some) => {
        const payload = createAuthPayload(signIn, chains, requested, now)
        const left = restrictAuthPayload(payload, { chains: some, methods: allowed })
        const granted = listSignedMethods(left.resources)
        expect(new Set(granted.methods)).toEqual(new Set(requested.filter((method) => allowed.includes(method))))
        expect(left.chains).toEqual(some)
        expect(some).toEqual(expect.arrayContaining([...granted.chains]))
      }),
    )
  })

  test('keeps other resources and their capabilities', () => {
    const known = formatRecap({ att: { 'https://a.example': { 'crud/read': [{}] } } })
    const payload = createAuthPayload({ ...signIn, resources: ['https://a.example', known] }, chains, ['eth_sign'], now)
    expect(restrictAuthPayload(payload, { chains, methods: [] }).resources).toEqual(['https://a.example', known])
    const alone = createAuthPayload(signIn, chains, ['eth_sign'], now)
    expect(restrictAuthPayload(alone, { chains, methods: [] }).resources).toBeUndefined()
  })

  test('grants nothing for an ability without constraints', () => {
    const resources = [formatRecap({ att: { eip155: { 'request/eth_sign': [], 'request/personal_sign': [{}] } } })]
    expect(listSignedMethods(resources)).toEqual({ methods: ['personal_sign'], chains: [] })
  })
})
