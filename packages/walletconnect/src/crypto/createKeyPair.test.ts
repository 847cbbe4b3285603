import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { encodeUtf8, hexToBytes } from './bytes.ts'
import { createKeyPair, createSigner } from './createKeyPair.ts'
import { platformCurves } from './platformCurves.ts'
import { portableCurves } from './portableCurves.ts'

/** RFC 7748 §5.2, first test vector. */
const privateKey = hexToBytes('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4')
const peerKey = hexToBytes('e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c')
const sharedSecret = hexToBytes('c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552')

const text = encodeUtf8('signed')
const { crypto: platform } = globalThis
const { subtle } = platform

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Gives the page a platform whose functions can be replaced or missing. */
function stubPlatform(functions: Partial<SubtleCrypto> | undefined): void {
  vi.stubGlobal('crypto', {
    getRandomValues: platform.getRandomValues.bind(platform),
    subtle: functions && {
      importKey: subtle.importKey.bind(subtle),
      exportKey: subtle.exportKey.bind(subtle),
      ...functions,
    },
  })
}

describe.each([
  ['of the platform', platformCurves],
  ['in JavaScript', portableCurves],
])('Curve25519 %s', (_, curves) => {
  test('derives the public key and the shared secret of RFC 7748', async () => {
    const keys = await curves.createKeyPair(privateKey)
    expect(keys.publicKey).toEqual(x25519.getPublicKey(privateKey))
    expect(await keys.deriveSharedSecret(peerKey)).toEqual(sharedSecret)
  })

  test.each([new Uint8Array(32), Uint8Array.of(1, ...new Uint8Array(31))])(
    'refuses a public key of low order, whose secret is known to everyone: %#',
    async (lowOrder) => {
      const keys = await curves.createKeyPair(privateKey)
      await expect(keys.deriveSharedSecret(lowOrder)).rejects.toThrow(Error)
    },
  )

  test('signs so that another implementation verifies it', async () => {
    const signer = await curves.createSigner(privateKey)
    expect(ed25519.verify(await signer.sign(text), text, signer.publicKey)).toBe(true)
  })
})

describe('a platform that does not refuse keys of low order', () => {
  test('gets its zero secrets refused', async () => {
    stubPlatform({ deriveBits: async () => new ArrayBuffer(32) })
    const keys = await platformCurves.createKeyPair(privateKey)
    await expect(keys.deriveSharedSecret(peerKey)).rejects.toThrow(Error)
  })

  test('may derive secrets that contain zero bytes', async () => {
    const secret = Uint8Array.of(...new Uint8Array(31), 1)
    stubPlatform({ deriveBits: async () => secret.buffer })
    const keys = await platformCurves.createKeyPair(privateKey)
    expect(await keys.deriveSharedSecret(peerKey)).toEqual(secret)
  })
})

describe.each([
  ['a page outside a secure context', undefined],
  [
    'a browser without Curve25519',
    { importKey: () => Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError')) },
  ],
])('in %s', (_, functions) => {
  test('key pairs derive the same secrets', async () => {
    stubPlatform(functions)
    const keys = await createKeyPair(privateKey)
    expect(await keys.deriveSharedSecret(peerKey)).toEqual(sharedSecret)
  })

  test('signers create the same signatures', async () => {
    stubPlatform(functions)
    const signer = await createSigner(privateKey)
    expect(await signer.sign(text)).toEqual(ed25519.sign(text, privateKey))
  })
})

test('createKeyPair creates a random key pair by default', async () => {
  const [one, other] = await Promise.all([createKeyPair(), createKeyPair()])
  expect(one.publicKey).toHaveLength(32)
  expect(one.publicKey).not.toEqual(other.publicKey)
  expect(await one.deriveSharedSecret(other.publicKey)).toEqual(await other.deriveSharedSecret(one.publicKey))
})
