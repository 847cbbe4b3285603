import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authPayloadOf, methodsIn, readAuthPayload, restrict, type SignIn } from './authPayload.ts'
import { encodeRecap, recapOf } from './recap.ts'

const chains = ['eip155:1', 'eip155:10'] as const
const now = Date.UTC(2026, 0, 1)
const signIn: SignIn = { domain: 'app.example', uri: 'https://app.example/login', nonce: 'abcdef0123456789' }

const abilities = fc.uniqueArray(fc.stringMatching(/^[a-z][a-zA-Z_]{0,12}$/))

describe('the payload of a sign-in', () => {
  test('says what is asked, and when', () => {
    expect(authPayloadOf({ ...signIn, statement: 'Hello.' }, chains, [], now)).toEqual({
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

  test('has the wanted methods as a ReCap at the end of its resources', () => {
    const { resources } = authPayloadOf({ ...signIn, resources: ['https://a.example'] }, chains, ['personal_sign'], now)
    expect(resources).toEqual(['https://a.example', expect.stringMatching(/^urn:recap:[\w-]+$/)])
    expect(recapOf(resources ?? [])).toEqual({ att: { eip155: { 'request/personal_sign': [{ chains }] } } })
  })

  test('adds the wanted methods to a ReCap that is there', () => {
    const known = { att: { 'https://a.example': { 'crud/read': [{}] }, eip155: { 'request/eth_sign': [{}] } } }
    const { resources } = authPayloadOf({ ...signIn, resources: [encodeRecap(known)] }, chains, ['personal_sign'], now)
    expect(resources).toHaveLength(1)
    expect(recapOf(resources ?? [])?.att).toEqual({
      'https://a.example': { 'crud/read': [{}] },
      eip155: { 'request/eth_sign': [{}], 'request/personal_sign': [{ chains }] },
    })
  })

  test('survives the way to the wallet', () => {
    const whole = { ...signIn, statement: 'Hello.', nbf: '2026-01-01T00:00:00Z', exp: '2026-01-02T00:00:00Z' }
    const payload = authPayloadOf(whole, chains, ['personal_sign'], now)
    expect(readAuthPayload(JSON.parse(JSON.stringify(payload)))).toEqual(payload)
  })

  test.each<[string, Partial<SignIn>]>([
    ['statement must not contain a line break', { statement: 'a\nb' }],
    ['domain must not contain a line break', { domain: 'app.example\r' }],
    ['resources must not contain a line break', { resources: ['https://a.example\n- https://b.example'] }],
    ['nonce must be eight letters and digits or more', { nonce: 'abcdef0' }],
    ['nonce must be eight letters and digits or more', { nonce: 'abcdef0-' }],
  ])('is not made when %s', (problem, wrong) => {
    expect(() => authPayloadOf({ ...signIn, ...wrong }, chains, [], now)).toThrow(problem)
  })

  test('is not made for no chain, nor for one of another namespace', () => {
    expect(() => authPayloadOf(signIn, [], [], now)).toThrow('chains must be of eip155')
    expect(() => authPayloadOf(signIn, ['eip155:1', 'solana:x'], [], now)).toThrow('chains must be of eip155')
  })

  test('is not read from anything else', () => {
    const payload = authPayloadOf(signIn, chains, [], now)
    const wrong = [
      { type: 'eip4361' },
      { chains: [] },
      { chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] },
      { chains: 'eip155:1' },
      { nonce: undefined },
      { statement: 'a\nb' },
      { resources: [1] },
    ]
    for (const each of wrong) expect(() => readAuthPayload({ ...payload, ...each })).toThrow('sign-in')
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => readAuthPayload(value)).toThrow('sign-in')
      }),
    )
  })
})

describe('what a wallet leaves of a sign-in', () => {
  test('is never more than was asked for, nor than it allows', () => {
    fc.assert(
      fc.property(abilities, abilities, fc.subarray([...chains]), (asked, allowed, some) => {
        const payload = authPayloadOf(signIn, chains, asked, now)
        const left = restrict(payload, { chains: some, methods: allowed })
        const granted = methodsIn(left.resources)
        expect(new Set(granted.methods)).toEqual(new Set(asked.filter((method) => allowed.includes(method))))
        expect(left.chains).toEqual(some)
        expect(some).toEqual(expect.arrayContaining([...granted.chains]))
      }),
    )
  })

  test('keeps the other resources, and what a ReCap says about them', () => {
    const known = encodeRecap({ att: { 'https://a.example': { 'crud/read': [{}] } } })
    const payload = authPayloadOf({ ...signIn, resources: ['https://a.example', known] }, chains, ['eth_sign'], now)
    expect(restrict(payload, { chains, methods: [] }).resources).toEqual(['https://a.example', known])
    const alone = authPayloadOf(signIn, chains, ['eth_sign'], now)
    expect(restrict(alone, { chains, methods: [] }).resources).toBeUndefined()
  })

  test('grants nothing by an ability that has no use, and takes none for unlimited', () => {
    const resources = [encodeRecap({ att: { eip155: { 'request/eth_sign': [], 'request/personal_sign': [{}] } } })]
    expect(methodsIn(resources)).toEqual({ methods: ['personal_sign'], chains: [] })
  })
})
