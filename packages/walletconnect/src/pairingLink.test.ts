import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBase64, toBase64Url, utf8Bytes } from './bytes.ts'
import { createPairing, formatPairingUri } from './pairing.ts'
import { pairingUriIn } from './pairingLink.ts'

const uri = formatPairingUri(createPairing(Date.UTC(2025, 0, 1)))
const base64 = toBase64(utf8Bytes(uri))

describe('what a wallet is opened with [G-09]', () => {
  test.each([
    ['a pairing link', uri],
    ['one with blanks around it', ` ${uri}\n`],
    ['base64', base64],
    ['base64url', toBase64Url(utf8Bytes(uri))],
    ['a universal link', `https://wallet.example/wc?uri=${encodeURIComponent(uri)}`],
    ['a universal link with more in it', `https://wallet.example/wc?from=app&uri=${encodeURIComponent(uri)}&x=1`],
    ['a native link', `wallet://wc?uri=${encodeURIComponent(uri)}`],
    ['a link with base64', `wallet://wc?uri=${encodeURIComponent(base64)}`],
  ])('leads to its pairing link: %s', (_, text) => {
    expect(pairingUriIn(text)).toBe(uri)
  })

  test('is left as it is when it carries nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(pairingUriIn(text)).toBe(text.trim())
      }),
    )
  })
})
