import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes, randomBytes, toBase64 } from './bytes.ts'
import { openEnvelope, parseEnvelope, sealEnvelope, deriveSymmetricKey, hashMessage, topicOfKey } from './envelope.ts'
import { platformCurves } from './platformCurves.ts'
import { portableCurves } from './portableCurves.ts'

type VectorGroup = { ivSize?: number; tests: ReadonlyArray<{ [field: string]: string }> }

const vectors = resolve(process.env.LATCHKEY_VECTORS ?? resolve(import.meta.dirname, '../../../../../shared/vectors'))

function groupsOf(file: string): readonly VectorGroup[] {
  if (!existsSync(vectors)) {
    console.warn(`Nothing is compared with ${file}: the test vectors are absent. LATCHKEY_VECTORS names their folder.`)
    return []
  }
  // The schema of the vectors guarantees this shape.
  const { testGroups } = JSON.parse(readFileSync(resolve(vectors, 'wycheproof', file), 'utf8')) as {
    testGroups: readonly VectorGroup[]
  }
  return testGroups
}

const bytesOf = (hex: string | undefined): Uint8Array => hexToBytes(hex ?? '')

describe('the cryptography agrees with Project Wycheproof [G-10]', () => {
  test.each([
    ['of the platform', platformCurves],
    ['in JavaScript', portableCurves],
  ])('X25519 %s refuses public keys with a zero secret', async (_, curves) => {
    for (const { public: peer, private: own, shared } of groupsOf('x25519_test.json').flatMap(({ tests }) => tests)) {
      const secret = (await curves.createKeyPair(bytesOf(own))).deriveSharedSecret(bytesOf(peer))
      if (shared === '00'.repeat(32)) await expect(secret).rejects.toThrow(Error)
      else expect(bytesToHex(await secret)).toBe(shared)
    }
  })

  test('ChaCha20-Poly1305', () => {
    for (const { ivSize, tests } of groupsOf('chacha20_poly1305_test.json')) {
      for (const { key, iv, aad, msg, ct, tag, result } of tests) {
        const sealed = bytesOf(`${ct}${tag}`)
        const decrypt = (): Uint8Array => chacha20poly1305(bytesOf(key), bytesOf(iv), bytesOf(aad)).decrypt(sealed)
        if (result === 'valid' && ivSize === 96) expect(bytesToHex(decrypt())).toBe(msg)
        else expect(decrypt).toThrow(Error)
      }
    }
  })

  test('HKDF-SHA-256', () => {
    for (const { ikm, salt, info, size, okm, result } of groupsOf('hkdf_sha256_test.json').flatMap((g) => g.tests)) {
      const derive = (): Uint8Array => hkdf(sha256, bytesOf(ikm), bytesOf(salt), bytesOf(info), Number(size))
      if (result === 'valid') expect(bytesToHex(derive())).toBe(okm)
      else expect(derive).toThrow(Error)
    }
  })
})

describe('two parties', () => {
  test('derive the same key and topic from their public keys', async () => {
    const one = await platformCurves.createKeyPair(randomBytes(32))
    const other = await portableCurves.createKeyPair(randomBytes(32))
    const key = deriveSymmetricKey(await one.deriveSharedSecret(other.publicKey))
    expect(deriveSymmetricKey(await other.deriveSharedSecret(one.publicKey))).toEqual(key)
    expect(topicOfKey(key)).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('an envelope [G-10]', () => {
  const key = randomBytes(32)

  test('decrypts any text that was sealed in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, isTyped) => {
        const sender = randomBytes(32)
        const envelope = parseEnvelope(sealEnvelope(text, key, isTyped ? sender : undefined))
        if (envelope === undefined) throw new Error('not an envelope')
        expect(envelope.type).toBe(isTyped ? 1 : 0)
        if (envelope.type === 1) expect(envelope.senderPublicKey).toEqual(sender)
        expect(openEnvelope(envelope, key)).toBe(text)
      }),
      { numRuns: 40 },
    )
  })

  test('does not decrypt with a flipped bit, with another key, or truncated', () => {
    const message = sealEnvelope('{"id":1}', key)
    const bytes = Uint8Array.from(atob(message), (character) => character.charCodeAt(0))
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        const envelope = parseEnvelope(toBase64(changed))
        expect(envelope === undefined ? undefined : openEnvelope(envelope, key)).toBeUndefined()
      }),
    )
    const intact = parseEnvelope(message)
    expect(intact && openEnvelope(intact, randomBytes(32))).toBeUndefined()
    expect(parseEnvelope(toBase64(bytes.slice(0, 28)))).toBeUndefined()
  })

  test('of type 2 or of an unknown type is refused without an error, like other strings', () => {
    const body = randomBytes(80)
    for (const type of [2, 3, 255]) expect(parseEnvelope(toBase64(Uint8Array.from([type, ...body])))).toBeUndefined()
    fc.assert(fc.property(fc.string(), (text) => void parseEnvelope(text)))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const envelope = parseEnvelope(toBase64(bytes))
        expect(envelope === undefined ? undefined : openEnvelope(envelope, key)).toBeUndefined()
      }),
    )
  })
})

test('hashMessage returns the SHA-256 of the UTF-8 text in hex (FIPS 180-2)', () => {
  expect(hashMessage('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hashMessage('ü')).toBe(bytesToHex(sha256(Uint8Array.of(0xc3, 0xbc))))
})
