import { expect, test } from 'vitest'
import { decodeUtf8, encodeUtf8, fromBase64Url, toBase64Url } from './bytes.ts'
import { formatPlainEnvelope, parsePlainEnvelope } from './plainEnvelope.ts'

test('a type-2 envelope consists of the type byte and the text', () => {
  const bytes = fromBase64Url(formatPlainEnvelope('{"id":1}'))
  expect([bytes[0], decodeUtf8(bytes.subarray(1))]).toEqual([2, '{"id":1}'])
})

test('parsePlainEnvelope returns the JSON of a formatted envelope', () => {
  expect(parsePlainEnvelope(formatPlainEnvelope('{"id":1,"text":"Grüße"}'))).toEqual({ id: 1, text: 'Grüße' })
})

test.each([
  ['of type 0', toBase64Url(Uint8Array.of(0, ...encodeUtf8('{"id":1}')))],
  ['of type 1', toBase64Url(Uint8Array.of(1, ...encodeUtf8('{"id":1}')))],
  ['without a type byte', toBase64Url(encodeUtf8('{"id":1}'))],
  ['without content', ''],
  ['that is not base64url', '*'],
  ['with malformed UTF-8', toBase64Url(Uint8Array.of(2, 0x22, 0xff, 0x22))],
  ['that is not JSON', formatPlainEnvelope('{"id":')],
])('parsePlainEnvelope returns undefined for an envelope %s', (_, envelope) => {
  expect(parsePlainEnvelope(envelope)).toBeUndefined()
})
