import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatSignInMessage } from './cacao.ts'
import { createTestSigner } from '../testing/testSigner.ts'
import { isSignedBy } from './isSignedBy.ts'

type Vector = { readonly [field: string]: string }

function loadVectors(file: string): ReadonlyArray<[string, Vector]> {
  const folder = resolve(process.env.LATCHKEY_VECTORS ?? resolve(import.meta.dirname, '../../../../../shared/vectors'))
  if (!existsSync(folder)) {
    console.warn(`Nothing is compared with ${file}: the test vectors are absent. LATCHKEY_VECTORS names their folder.`)
    return []
  }
  // The shape of the vector file.
  return Object.entries(JSON.parse(readFileSync(resolve(folder, 'siwe', file), 'utf8')) as Record<string, Vector>)
}

function isSigned({ address = '', chainId, uri = '', issuedAt = '', signature = '', ...others }: Vector): boolean {
  const { domain = '', version = '', nonce = '', statement, expirationTime: exp, notBefore: nbf } = others
  const content = { domain, aud: uri, version, nonce, iat: issuedAt, statement, exp, nbf }
  return isSignedBy(address, formatSignInMessage(content, `eip155:${chainId}:${address}`), signature)
}

describe('isSignedBy', () => {
  test.each(loadVectors('verification_positive.json'))('accepts the signature of its signer: %s', (_, vector) => {
    expect(isSigned(vector)).toBe(true)
  })

  test.each(loadVectors('verification_negative.json').filter(([title]) => title.endsWith('signature')))(
    'refuses %s',
    (_, vector) => {
      expect(isSigned(vector)).toBe(false)
    },
  )

  test('accepts any message, and refuses another text, signer or bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.string(), fc.nat(519), (seed, text, flipped) => {
        fc.pre(secp256k1.utils.isValidSecretKey(seed))
        const { address, sign } = createTestSigner(seed)
        const signature = sign(text)
        expect(isSignedBy(address, text, signature)).toBe(true)
        expect(isSignedBy(address.toLowerCase(), text, signature.slice(2))).toBe(true)
        expect(isSignedBy(address, `${text}.`, signature)).toBe(false)
        expect(isSignedBy(`0x${'00'.repeat(20)}`, text, signature)).toBe(false)
        expect(isSignedBy(address, text, flipBit(signature, flipped))).toBe(false)
      }),
      { numRuns: 25 },
    )
  })

  test.each(['', '0x', '0xzz', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `0x${'11'.repeat(64)}`])(
    'refuses “%s”',
    (signature) => {
      expect(isSignedBy(`0x${'00'.repeat(20)}`, 'text', signature)).toBe(false)
    },
  )
})

function flipBit(signature: string, bit: number): string {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const at = Math.floor(bit / 8)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8))
  return `0x${bytes.toString('hex')}`
}
