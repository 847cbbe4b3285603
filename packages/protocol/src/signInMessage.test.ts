import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SignInMessage } from './signIn.ts'
import { checkSignInMessage, formatSignInMessage, parseSignInMessage } from './signInMessage.ts'

// The cases are public (EIP-4361) and are expected next to the repository, or in the folder that LATCHKEY_VECTORS names.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const vectors = resolve(root, process.env.LATCHKEY_VECTORS ?? '../shared/vectors', 'siwe')
const state = existsSync(vectors) ? '' : ' (NOT TRIED: the cases are not next to the repository)'

function casesOf<value>(name: string): Array<[string, value]> {
  const path = resolve(vectors, `${name}.json`)
  return existsSync(path) ? Object.entries<value>(JSON.parse(readFileSync(path, 'utf8'))) : []
}

const whole: SignInMessage = {
  domain: 'service.org',
  accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  statement: 'I accept the ServiceOrg Terms of Service: https://service.org/tos',
  uri: 'https://service.org/login',
  version: '1',
  chainId: 'eip155:1',
  nonce: '32891757',
  issuedAt: '2021-09-30T16:25:24.000Z',
  expirationTime: '2021-10-30T16:25:24.000Z',
  notBefore: '2021-09-30T16:25:24.000Z',
  requestId: 'some_id',
  resources: ['ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu', 'https://example.com/my-web2-claim.json'],
}

const accounts = {
  eip155: ['eip155:10', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'Ethereum'],
  solana: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1', 'Solana'],
  polkadot: [
    'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
    'Polkadot',
  ],
  bip122: ['bip122:000000000019d6689c085ae165831e93', 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', 'Bitcoin'],
} as const

describe('sign-in message', () => {
  test('is formatted as EIP-4361 specifies, with all fields [R3.13]', () => {
    expect(formatSignInMessage(whole)).toBe(
      `service.org wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ServiceOrg Terms of Service: https://service.org/tos

URI: https://service.org/login
Version: 1
Chain ID: 1
Nonce: 32891757
Issued At: 2021-09-30T16:25:24.000Z
Expiration Time: 2021-10-30T16:25:24.000Z
Not Before: 2021-09-30T16:25:24.000Z
Request ID: some_id
Resources:
- ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu
- https://example.com/my-web2-claim.json`,
    )
  })

  test.each(Object.entries(accounts))(
    'contains the namespace and the chain of an account: %s',
    (namespace, account) => {
      const [chainId, accountAddress, family] = account
      const message = { ...whole, chainId, accountAddress }
      const text = formatSignInMessage(message)
      expect(text).toContain(`service.org wants you to sign in with your ${family} account:\n${accountAddress}\n`)
      expect(text).toContain(`\nChain ID: ${chainId.slice(namespace.length + 1)}\n`)
      expect(parseSignInMessage(text)).toEqual(message)
    },
  )

  test('parses back to the same fields after formatting, with any optional fields omitted', () => {
    const optional = ['scheme', 'statement', 'expirationTime', 'notBefore', 'requestId', 'resources'] as const
    fc.assert(
      fc.property(fc.subarray([...optional]), fc.boolean(), (left, none) => {
        const all: SignInMessage = { ...whole, scheme: 'https', resources: none ? [] : whole.resources }
        const some = Object.fromEntries(Object.entries(all).filter(([name]) => !left.some((each) => each === name)))
        // Only optional parts were taken away.
        const message = some as SignInMessage
        expect(parseSignInMessage(formatSignInMessage(message))).toEqual(message)
      }),
    )
  })

  test.each<[string, Partial<SignInMessage>]>([
    ['a part of it has a line break', { statement: 'one\ntwo' }],
    ['a part of it has a line break', { requestId: '1\nResources:\n- https://evil.example' }],
    ['a part of it has a line break', { uri: 'https://a.example\r' }],
    ['sign-in is not supported on', { chainId: 'cosmos:hub' }],
    ['a part of it is missing', { nonce: undefined }],
    ['its statement is not a line of ASCII', { statement: 'Grüße' }],
    ['its statement is not a line of ASCII', { statement: 'Hi \u202e' }],
    ['its nonce needs', { nonce: '1234567' }],
    ['its nonce needs', { nonce: 'with-dash' }],
    ['its URI is invalid', { uri: '/login' }],
    ['its domain is invalid', { domain: 'a.example/path' }],
    ['its address is invalid', { accountAddress: 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l' }],
    ['its chain is invalid', { chainId: 'eip155:mainnet' }],
    ['its expiration time is invalid', { expirationTime: '2021-02-31T00:00:00Z' }],
    ['its start time is invalid', { notBefore: 'tomorrow' }],
    ['its issue time is invalid', { issuedAt: '2021-09-30' }],
    ['a resource is not a URI', { resources: ['nothing'] }],
    ['its request id has invalid characters', { requestId: 'a b' }],
  ])('checkSignInMessage throws when %s: %o', (reason, wrong) => {
    expect(() => checkSignInMessage({ ...whole, ...wrong })).toThrow(reason)
  })

  const solana = { chainId: accounts.solana[0], accountAddress: accounts.solana[1] }

  test.each<Partial<SignInMessage>>([
    { domain: 'user:name@service.org:8443' },
    { domain: 'service.org:' },
    { domain: '[2001:db8::1]:8443' },
    { uri: 'https://service.org/login%20page?next=%2F#top' },
    { requestId: 'a%20b' },
    { requestId: '' },
    { issuedAt: '2021-07-31T16:25:24Z' },
    { notBefore: '2021-09-30T16:25:24+02:00' },
    { expirationTime: '2021-09-30T16:25:24.5-10:30' },
    { nonce: 'abcdEF12' },
    { ...solana, chainId: `solana:${'a'.repeat(32)}` },
    { ...solana, accountAddress: 'a'.repeat(128) },
  ])('is accepted with %o', (members) => {
    expect(() => checkSignInMessage({ ...whole, ...members })).not.toThrow()
  })

  test.each<Partial<SignInMessage>>([
    { accountAddress: `x${whole.accountAddress}` },
    { accountAddress: `${whole.accountAddress}0` },
    { chainId: 'eip155:x1' },
    { chainId: 'eip155:1x' },
    { ...solana, accountAddress: `!${solana.accountAddress}` },
    { ...solana, accountAddress: `${solana.accountAddress}!` },
    { ...solana, accountAddress: 'a'.repeat(129) },
    { ...solana, chainId: 'solana:!a' },
    { ...solana, chainId: 'solana:a!' },
    { ...solana, chainId: `solana:${'a'.repeat(33)}` },
    { domain: 'ü@service.org' },
    { domain: 'service.org:x' },
    { domain: 'service.org:80x' },
    { domain: '[service.org]' },
    { domain: '' },
    { uri: '1https://service.org' },
    { uri: 'https://service.org/ü' },
    { uri: 'https://service.org/%zz' },
    { uri: 'https://service.org/%2' },
    { nonce: '!32891757' },
    { nonce: '32891757!' },
    { requestId: '%zz' },
    { requestId: 'a%2' },
    { issuedAt: '' },
    { issuedAt: 'x2021-09-30T16:25:24Z' },
    { issuedAt: '2021-09-30T16:25:24Zx' },
    { issuedAt: '2021-09-30T16:25:24' },
    { issuedAt: '2021-13-01T16:25:24Z' },
    { issuedAt: '2021-06-31T16:25:24Z' },
    { issuedAt: '2021-09-30T25:25:24Z' },
    { resources: ['https://service.org', ''] },
  ])('is refused with %o', (members) => {
    const invalid = expect.objectContaining({ code: 'sign-in/invalid' })
    expect(() => checkSignInMessage({ ...whole, ...members })).toThrow(invalid)
  })

  test('is not parsed with an added, missing or moved line', () => {
    const lines = formatSignInMessage(whole).split('\n')
    expect(lines).toHaveLength(16)
    const at = fc.nat(lines.length - 1)
    fc.assert(
      fc.property(at, at, (one, other) => {
        const swapped = lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '')
        if (swapped.join('\n') === lines.join('\n')) return
        // The resources stand in any order.
        if (one > 13 && other > 13) return
        expect(() => parseSignInMessage(swapped.join('\n'))).toThrow('sign-in')
        expect(() => parseSignInMessage(lines.toSpliced(one, 0, 'Trust: me').join('\n'))).toThrow('sign-in')
        // The reason is optional.
        if (one < 10 && one !== 3)
          expect(() => parseSignInMessage(lines.toSpliced(one, 1).join('\n'))).toThrow('sign-in')
      }),
    )
  })

  test('is not parsed from arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => parseSignInMessage(text)).toThrow('sign-in')
        expect(() => parseSignInMessage(`${formatSignInMessage(whole)}\n${text}`)).toThrow('sign-in')
      }),
    )
  })
})

describe(`EIP-4361 published test vectors${state}`, () => {
  test('valid messages parse, and format unchanged', () => {
    type Fields = { address: string; chainId: number; scheme?: string | null }
    for (const [, { message, fields }] of casesOf<{ message: string; fields: Fields }>('parsing_positive')) {
      const { address, chainId, scheme, ...others } = fields
      const messageFields = { ...others, accountAddress: address, chainId: `eip155:${chainId}` }
      const read = parseSignInMessage(message)
      expect(read).toEqual(typeof scheme === 'string' ? { ...messageFields, scheme } : messageFields)
      expect(formatSignInMessage(read)).toBe(message)
    }
  })

  test('invalid messages are rejected by the parser [A-20]', () => {
    // Address checksums are the adapter's responsibility.
    const cases = casesOf<string>('parsing_negative').filter(([name]) => name !== 'address not EIP-55')
    for (const [, message] of cases) expect(() => parseSignInMessage(message)).toThrow('sign-in')
  })

  test('invalid fields are rejected by checkSignInMessage [A-20]', () => {
    type Parts = Partial<Omit<SignInMessage, 'chainId'>> & { address?: string; chainId?: number | string }
    for (const [name, { address, chainId, ...others }] of casesOf<Parts>('parsing_negative_objects')) {
      if (name === 'address not EIP-55') continue
      // Some parts are missing, which is what makes them wrong.
      const message = { ...others, accountAddress: address, chainId: `eip155:${chainId}` } as SignInMessage
      expect(() => checkSignInMessage(message)).toThrow('sign-in')
    }
  })
})
