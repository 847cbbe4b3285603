import { readFileSync, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AccountId } from '@latchkey/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCacao, formatSignInMessage, parseCacao, parseSigner, type SignInContent } from './cacao.ts'
import { formatRecap, formatRecapSentence } from './recap.ts'

const account: AccountId = 'eip155:1:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'

const content: SignInContent = {
  domain: 'service.org',
  aud: 'https://service.org/login',
  version: '1',
  nonce: '32891757',
  iat: '2021-09-30T16:25:24.000Z',
}

type Vector = {
  message: string
  fields: { address: string; chainId: number; uri: string; issuedAt: string } & { [field: string]: string }
}

function loadVectors(): ReadonlyArray<[string, Vector]> {
  const folder = resolve(process.env.LATCHKEY_VECTORS ?? resolve(import.meta.dirname, '../../../../../shared/vectors'))
  if (!existsSync(folder)) {
    console.warn('No sign-in message is compared: the test vectors are absent. LATCHKEY_VECTORS names their folder.')
    return []
  }
  // The shape of the vector file.
  const read = JSON.parse(readFileSync(resolve(folder, 'siwe/parsing_positive.json'), 'utf8')) as Record<string, Vector>
  // CACAOs have no scheme before the domain.
  return Object.entries(read).filter(([, { fields }]) => fields.scheme === undefined)
}

const line = fc.string().filter((text) => !/[\n\r]/.test(text))
const contents: fc.Arbitrary<SignInContent> = fc.record(
  {
    domain: line,
    aud: line,
    version: line,
    nonce: line,
    iat: line,
    exp: line,
    nbf: line,
    statement: line,
    requestId: line,
    resources: fc.array(line),
  },
  { requiredKeys: ['domain', 'aud', 'version', 'nonce', 'iat'], noNullPrototype: true },
)

describe('formatSignInMessage', () => {
  test.each(loadVectors())('matches EIP-4361: %s', (_, { message, fields }) => {
    const { address, chainId, uri, issuedAt, expirationTime, notBefore, ...others } = fields
    // The fields of a valid message are those of the content.
    const givenContent = {
      ...others,
      aud: uri,
      iat: issuedAt,
      exp: expirationTime,
      nbf: notBefore,
    } as unknown as SignInContent
    expect(formatSignInMessage(givenContent, `eip155:${chainId}:${address}`)).toBe(message)
  })

  test('contains all fields in order', () => {
    const complete: SignInContent = {
      ...content,
      exp: '2021-10-01T00:00:00Z',
      nbf: '2021-09-30T00:00:00Z',
      statement: 'Welcome back.',
      requestId: 'request-1',
      resources: ['https://service.org/tos', 'ipfs://Qme7'],
    }
    expect(formatSignInMessage(complete, account)).toBe(
      [
        'service.org wants you to sign in with your Ethereum account:',
        '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
        '',
        'Welcome back.',
        '',
        'URI: https://service.org/login',
        'Version: 1',
        'Chain ID: 1',
        'Nonce: 32891757',
        'Issued At: 2021-09-30T16:25:24.000Z',
        'Expiration Time: 2021-10-01T00:00:00Z',
        'Not Before: 2021-09-30T00:00:00Z',
        'Request ID: request-1',
        'Resources:',
        '- https://service.org/tos',
        '- ipfs://Qme7',
      ].join('\n'),
    )
  })

  test('ends the statement with the sentence of the ReCap, once', () => {
    const recap = { att: { eip155: { 'request/personal_sign': [{}] } } }
    const sentence = formatRecapSentence(recap)
    const resources = [formatRecap(recap)]
    const lineOf = (statement?: string): string | undefined =>
      formatSignInMessage({ ...content, statement, resources }, account).split('\n')[3]
    expect(lineOf()).toBe(sentence)
    expect(lineOf('Welcome.')).toBe(`Welcome. ${sentence}`)
    expect(lineOf(`Welcome. ${sentence}`)).toBe(`Welcome. ${sentence}`)
  })

  test.each([...Object.keys(content), 'exp', 'nbf', 'statement', 'requestId'])(
    'throws if %s contains a line break',
    (name) => {
      for (const breaking of ['a\nNonce: 2', 'a\r']) {
        expect(() => formatSignInMessage({ ...content, [name]: breaking }, account)).toThrow('line break')
      }
    },
  )

  test('throws if a resource or a ReCap contains a line break', () => {
    const hidden = formatRecap({ att: { 'urn:a\nURI: b': { 'request/personal_sign': [{}] } } })
    for (const resource of ['urn:a\n- urn:b', hidden]) {
      expect(() => formatSignInMessage({ ...content, resources: [resource] }, account)).toThrow('line break')
    }
  })
})

describe('a CACAO', () => {
  test('round-trips through JSON with its signer', () => {
    fc.assert(
      fc.property(contents, line, (givenContent, signature) => {
        const cacao = createCacao(givenContent, account, signature)
        const read = parseCacao(JSON.parse(JSON.stringify(cacao)))
        expect(read).toEqual(cacao)
        expect(parseSigner(read)).toBe(account)
        expect(formatSignInMessage(read.p, account)).toBe(formatSignInMessage(givenContent, account))
      }),
    )
  })

  test('is parsed with null for missing members, without unknown ones', () => {
    const { h, p, s } = createCacao(content, account, '0x')
    const strange = { h, p: { ...p, exp: null, resources: null, unknown: 1 }, s: { ...s, m: {} } }
    expect(parseCacao(strange)).toEqual({ h, p, s })
  })

  test('is not parsed from malformed values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => parseCacao(value)).toThrow('malformed')
      }),
    )
    const { h, p, s } = createCacao(content, account, '0x')
    for (const value of [
      { p, s },
      { h, s },
      { h, p },
      { h, p: { ...p, nonce: 1 }, s },
      { h, p: { ...p, exp: 1 }, s },
    ]) {
      expect(() => parseCacao(value)).toThrow('malformed')
    }
  })

  test.each(['', 'did:pkh:', 'did:key:z6Mk', account, 'did:pkh:eip155:1', 'did:pkh:unknown:1:0x'])(
    'has no signer if its issuer is “%s”',
    (iss) => {
      const cacao = createCacao(content, account, '0x')
      expect(() => parseSigner({ ...cacao, p: { ...cacao.p, iss } })).toThrow('has no account')
    },
  )
})
