import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBase64Url, encodeUtf8 } from '../crypto/bytes.ts'
import { parseRecapResource, formatRecap, mergeRecaps, findRecap, formatRecapSentence, type Recap } from './recap.ts'

/** The first example of EIP-5573. */
const published = {
  uri: 'urn:recap:eyJhdHQiOnsiaHR0cHM6Ly9leGFtcGxlLmNvbSI6eyJleGFtcGxlL2FwcGVuZCI6W10sImV4YW1wbGUvcmVhZCI6W10sIm90aGVyL2FjdGlvbiI6W119LCJteTpyZXNvdXJjZTp1cmkuMSI6eyJleGFtcGxlL2FwcGVuZCI6W10sImV4YW1wbGUvZGVsZXRlIjpbXX0sIm15OnJlc291cmNlOnVyaS4yIjp7ImV4YW1wbGUvYXBwZW5kIjpbXX0sIm15OnJlc291cmNlOnVyaS4zIjp7ImV4YW1wbGUvYXBwZW5kIjpbXX19LCJwcmYiOltdfQ',
  sentence:
    "I further authorize the stated URI to perform the following actions on my behalf: (1) 'example': 'append', 'read' for 'https://example.com'. (2) 'other': 'action' for 'https://example.com'. (3) 'example': 'append', 'delete' for 'my:resource:uri.1'. (4) 'example': 'append' for 'my:resource:uri.2'. (5) 'example': 'append' for 'my:resource:uri.3'.",
  details: {
    att: {
      'https://example.com': { 'example/append': [], 'example/read': [], 'other/action': [] },
      'my:resource:uri.1': { 'example/append': [], 'example/delete': [] },
      'my:resource:uri.2': { 'example/append': [] },
      'my:resource:uri.3': { 'example/append': [] },
    },
    prf: [],
  },
}

/** The second example of EIP-5573, with its resource that ends in a slash. */
const withUses = {
  uri: 'urn:recap:eyJhdHQiOnsiaHR0cHM6Ly9leGFtcGxlLmNvbS9waWN0dXJlcy8iOnsiY3J1ZC9kZWxldGUiOlt7fV0sImNydWQvdXBkYXRlIjpbe31dLCJvdGhlci9hY3Rpb24iOlt7fV19LCJtYWlsdG86dXNlcm5hbWVAZXhhbXBsZS5jb20iOnsibXNnL3JlY2VpdmUiOlt7Im1heF9jb3VudCI6NSwidGVtcGxhdGVzIjpbIm5ld3NsZXR0ZXIiLCJtYXJrZXRpbmciXX1dLCJtc2cvc2VuZCI6W3sidG8iOiJzb21lb25lQGVtYWlsLmNvbSJ9LHsidG8iOiJqb2VAZW1haWwuY29tIn1dfX0sInByZiI6WyJ6ZGo3V2o2Rk5TNHJVVWJzaUp2amp4Y3NOcVpkRENTaVlSOHNLUVhmb1BmcFNadUF3Il19',
  details: {
    att: {
      'https://example.com/pictures/': { 'crud/delete': [{}], 'crud/update': [{}], 'other/action': [{}] },
      'mailto:username@example.com': {
        'msg/receive': [{ max_count: 5, templates: ['newsletter', 'marketing'] }],
        'msg/send': [{ to: 'someone@email.com' }, { to: 'joe@email.com' }],
      },
    },
    prf: ['zdj7Wj6FNS4rUUbsiJvjjxcsNqZdDCSiYR8sKQXfoPfpSZuAw'],
  },
}

const encodeRecap = (value: unknown): string => `urn:recap:${toBase64Url(encodeUtf8(JSON.stringify(value)))}`

const abilityPart = fc.stringMatching(/^[a-z.*_+-]{1,8}$/)
const recaps: fc.Arbitrary<Recap> = fc.record(
  {
    att: fc.dictionary(
      fc.string().map((tail) => `urn:${tail}`),
      fc.dictionary(
        fc.tuple(abilityPart, abilityPart).map((parts) => parts.join('/')),
        fc.array(fc.record({ chains: fc.array(fc.string()) })),
      ),
      { noNullPrototype: true },
    ),
    prf: fc.array(fc.string()),
  },
  { requiredKeys: ['att'], noNullPrototype: true },
)

describe('a ReCap', () => {
  test.each([published, withUses])('is formatted and parsed as in EIP-5573', ({ uri, details }) => {
    expect(formatRecap(details)).toBe(uri)
    expect(parseRecapResource(uri)).toEqual(details)
  })

  test('has the sentence of EIP-5573', () => {
    expect(formatRecapSentence(published.details)).toBe(published.sentence)
    expect(formatRecapSentence(withUses.details)).toBe(
      "I further authorize the stated URI to perform the following actions on my behalf: (1) 'crud': 'delete', 'update' for 'https://example.com/pictures/'. (2) 'other': 'action' for 'https://example.com/pictures/'. (3) 'msg': 'receive', 'send' for 'mailto:username@example.com'.",
    )
  })

  test('is merged as in EIP-5573', () => {
    const one = { att: { 'https://example1.com': { 'crud/read': [{}] } }, prf: ['bafyexample1'] }
    const other = {
      att: {
        'https://example1.com': { 'crud/update': [{ max_times: 1 }] },
        'https://example2.com': { 'crud/delete': [{}] },
      },
      prf: ['bafyexample2'],
    }
    expect(mergeRecaps(one, other)).toEqual({
      att: {
        'https://example1.com': { 'crud/read': [{}], 'crud/update': [{ max_times: 1 }] },
        'https://example2.com': { 'crud/delete': [{}] },
      },
      prf: ['bafyexample1', 'bafyexample2'],
    })
  })

  test('round-trips in any order of its keys', () => {
    fc.assert(
      fc.property(recaps, (recap) => {
        expect(parseRecapResource(formatRecap(recap))).toEqual(recap)
        const reversed = { ...recap, att: Object.fromEntries(Object.entries(recap.att).toReversed()) }
        expect(formatRecap(reversed)).toBe(formatRecap(recap))
        expect(formatRecapSentence(reversed)).toBe(formatRecapSentence(recap))
      }),
    )
  })

  test('has the capabilities of both after a merge', () => {
    fc.assert(
      fc.property(recaps, recaps, (one, other) => {
        const { att } = mergeRecaps(one, other)
        for (const part of [one, other]) {
          for (const [resource, abilities] of Object.entries(part.att)) {
            for (const [ability, uses] of Object.entries(abilities)) {
              expect(att[resource]?.[ability]).toEqual(expect.arrayContaining([...uses]))
            }
          }
        }
      }),
    )
  })

  test('is found only as the last resource', () => {
    expect(findRecap(['https://example.com', published.uri])).toEqual(published.details)
    expect(findRecap([published.uri, 'https://example.com'])).toBeUndefined()
    expect(findRecap([])).toBeUndefined()
  })

  test.each([
    ['https://example.com'],
    ['urn:recap:'],
    ['urn:recap:%%%'],
    [encodeRecap(null)],
    [encodeRecap({})],
    [encodeRecap({ att: { eip155: [] } })],
    [encodeRecap({ att: { eip155: { personal_sign: [{}] } } })],
    [encodeRecap({ att: { eip155: { "request/'. (9) 'a": [{}] } } })],
    [encodeRecap({ att: { eip155: { 'request/personal_sign': {} } } })],
    [encodeRecap({ att: { eip155: { 'request/personal_sign': [null] } } })],
    [encodeRecap({ att: {}, prf: [1] })],
  ])('is not parsed from %s', (resource) => {
    expect(parseRecapResource(resource)).toBeUndefined()
  })
})
