import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatSignInMessage } from './cacao.ts'
import { signerFrom } from '../testing/signer.ts'
import { isSignedBy } from './verify.ts'

type Vector = { readonly [field: string]: string }

function vectors(file: string): ReadonlyArray<[string, Vector]> {
  const folder = resolve(process.env.LATCHKEY_VECTORS ?? resolve(import.meta.dirname, '../../../../../shared/vectors'))
  if (!existsSync(folder)) {
    console.warn(`Nothing is compared with ${file}: the test vectors are absent. LATCHKEY_VECTORS names their folder.`)
    return []
  }
  // The shape of the file, which is not ours.
  return Object.entries(JSON.parse(readFileSync(resolve(folder, 'siwe', file), 'utf8')) as Record<string, Vector>)
}

function isSigned({ address = '', chainId, uri = '', issuedAt = '', signature = '', ...others }: Vector): boolean {
  const { domain = '', version = '', nonce = '', statement, expirationTime: exp, notBefore: nbf } = others
  const content = { domain, aud: uri, version, nonce, iat: issuedAt, statement, exp, nbf }
  return isSignedBy(address, formatSignInMessage(content, `eip155:${chainId}:${address}`), signature)
}

describe('a signature of EIP-191', () => {
  test.each(vectors('verification_positive.json'))('is known as that of its signer: %s', (_, vector) => {
    expect(isSigned(vector)).toBe(true)
  })

  test.each(vectors('verification_negative.json').filter(([title]) => title.endsWith('signature')))(
    'is refused: %s',
    (_, vector) => {
      expect(isSigned(vector)).toBe(false)
    },
  )

  test('is known whatever was signed, and with no other text, signer or bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.string(), fc.nat(519), (seed, text, flipped) => {
        fc.pre(secp256k1.utils.isValidSecretKey(seed))
        const { address, sign } = signerFrom(seed)
        const signature = sign(text)
        expect(isSignedBy(address, text, signature)).toBe(true)
        expect(isSignedBy(address.toLowerCase(), text, signature.slice(2))).toBe(true)
        expect(isSignedBy(address, `${text}.`, signature)).toBe(false)
        expect(isSignedBy(`0x${'00'.repeat(20)}`, text, signature)).toBe(false)
        expect(isSignedBy(address, text, flip(signature, flipped))).toBe(false)
      }),
      { numRuns: 25 },
    )
  })

  test.each(['', '0x', '0xzz', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `0x${'11'.repeat(64)}`])(
    'is not read from “%s”',
    (signature) => {
      expect(isSignedBy(`0x${'00'.repeat(20)}`, 'text', signature)).toBe(false)
    },
  )
})

function flip(signature: string, bit: number): string {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const at = Math.floor(bit / 8)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8))
  return `0x${bytes.toString('hex')}`
}
