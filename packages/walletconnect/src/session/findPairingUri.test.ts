import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBase64, toBase64Url, encodeUtf8 } from '../crypto/bytes.ts'
import { createPairing, formatPairingUri } from './pairing.ts'
import { findPairingUri } from './findPairingUri.ts'

const uri = formatPairingUri(createPairing(Date.UTC(2025, 0, 1)))
const base64 = toBase64(encodeUtf8(uri))

describe('findPairingUri [G-09]', () => {
  test.each([
    ['a pairing URI', uri],
    ['a pairing URI with whitespace', ` ${uri}\n`],
    ['base64', base64],
    ['base64url', toBase64Url(encodeUtf8(uri))],
    ['a universal link', `https://wallet.example/wc?uri=${encodeURIComponent(uri)}`],
    ['a universal link with other parameters', `https://wallet.example/wc?from=app&uri=${encodeURIComponent(uri)}&x=1`],
    ['a query', `?uri=${encodeURIComponent(uri)}`],
    ['a native link', `wallet://wc?uri=${encodeURIComponent(uri)}`],
    ['a link with base64', `wallet://wc?uri=${encodeURIComponent(base64)}`],
  ])('finds the pairing URI in %s', (_, text) => {
    expect(findPairingUri(text)).toBe(uri)
  })

  test('returns a pairing URI itself, even if it has a parameter with another one', () => {
    const other = `${uri}&uri=${encodeURIComponent(uri)}`
    expect(findPairingUri(other)).toBe(other)
  })

  test('returns a parameter outside of a link unchanged', () => {
    const text = `uri=${encodeURIComponent(uri)}`
    expect(findPairingUri(text)).toBe(text)
  })

  test('returns other strings unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(findPairingUri(text)).toBe(text.trim())
      }),
    )
  })
})
