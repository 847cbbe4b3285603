import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { topicOfKey } from '../crypto/envelope.ts'
import { createPairing, formatPairingUri, isPairingExpired, parsePairingUri } from './pairing.ts'

const now = Date.UTC(2025, 0, 1)
const uri = formatPairingUri(createPairing(now))
const invalid = expect.objectContaining({ code: 'pairing/invalid' })

describe('a pairing URI [G-09]', () => {
  test('is parsed as it was formatted, with `wc:` and with `wc://`', () => {
    const pairing = createPairing(now)
    const link = formatPairingUri(pairing)
    expect(link).toMatch(/^wc:[0-9a-f]{64}@2\?expiryTimestamp=\d+&relay-protocol=irn&symKey=[0-9a-f]{64}$/)
    expect(parsePairingUri(link, now)).toEqual(pairing)
    expect(parsePairingUri(` ${link.replace('wc:', 'wc://')}\n`, now)).toEqual(pairing)
  })

  test('is parsed as it was formatted, for any key, expiry and method', () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const expiries = fc.integer({ min: Math.ceil(now / 1000) + 11, max: 999_999_999_999 })
    const methods = fc.constantFrom(undefined, 'wc_sessionPropose', 'wc_sessionAuthenticate')
    fc.assert(
      fc.property(keys, expiries, methods, (key, expiry, method) => {
        const symmetricKey = Uint8Array.from(key)
        const pairing = { topic: topicOfKey(symmetricKey), symmetricKey, expiry }
        expect(parsePairingUri(formatPairingUri(pairing, method), now)).toEqual(pairing)
      }),
    )
  })

  test('is parsed with unknown parameters', () => {
    const { topic } = parsePairingUri(`${uri}&methods=wc_sessionPropose%2Cwc_sessionAuthenticate&relay-data=`, now)
    expect(uri).toContain(topic)
  })

  test.each([
    ['an empty text', ''],
    ['another scheme', uri.replace('wc:', 'wd:')],
    ['version 1', uri.replace('@2', '@1')],
    ['no version', uri.replace('@2', '')],
    ['no key', uri.replace(/&symKey=.*/, '')],
    ['a short key', uri.slice(0, -1)],
    ['a key of another topic', `${uri.slice(0, -1)}${uri.endsWith('0') ? '1' : '0'}`],
    ['capital letters in the topic', uri.replace(/wc:(.{64})/, (_, topic: string) => `wc:${topic.toUpperCase()}`)],
    ['a parameter twice', `${uri}&symKey=${'ab'.repeat(32)}`],
    ['another relay', uri.replace('irn', 'waku')],
    ['an invalid expiry', uri.replace(/expiryTimestamp=\d+/, 'expiryTimestamp=-1')],
  ])('is refused: %s', (_, link) => {
    expect(() => parsePairingUri(link, now)).toThrow(invalid)
  })

  test('is refused with pairing errors only, for any text', () => {
    const nearly = fc
      .tuple(fc.nat(uri.length - 1), fc.string({ maxLength: 3 }))
      .map(([at, text]) => uri.slice(0, at) + text)
      // The text may restore the last character.
      .filter((text) => !text.startsWith(uri))
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        expect(() => parsePairingUri(text, now)).toThrow(invalid)
      }),
    )
  })

  test('does not appear in errors with its key or topic', () => {
    try {
      parsePairingUri(uri.slice(0, -2), now)
    } catch (error) {
      expect(String(error)).not.toContain(uri.slice(-20, -2))
    }
  })

  test('expires four minutes after its creation, and counts as expired ten seconds earlier [R4.4.8] [R9.1.5]', () => {
    const pairing = createPairing(now)
    expect(pairing.expiry * 1000 - now).toBe(240_000)
    expect(isPairingExpired(pairing, now + 229_999)).toBe(false)
    expect(isPairingExpired(pairing, now + 230_000)).toBe(true)
    expect(() => parsePairingUri(formatPairingUri(pairing), now + 230_000)).toThrow(
      expect.objectContaining({ code: 'pairing/expired' }),
    )
  })

  test('without an expiry counts as just created', () => {
    const link = uri.replace(/expiryTimestamp=\d+&/, '')
    expect(parsePairingUri(link, now).expiry * 1000).toBe(now + 240_000)
  })
})
