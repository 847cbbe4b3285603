import { fromBase64Url } from './bytes.ts'
import type { Curves } from './curves.ts'

/** The PKCS #8 header of a 32-byte key (RFC 8410 §7). `curve` is the last byte of the curve's OID. */
const pkcs8Prefix = (curve: number): readonly number[] => [
  0x30,
  0x2e,
  2,
  1,
  0,
  0x30,
  5,
  6,
  3,
  0x2b,
  0x65,
  curve,
  4,
  0x22,
  4,
  0x20,
]

/** Curve25519 of the Web Cryptography API. */
export const platformCurves: Curves = {
  async createKeyPair(privateKey) {
    const { key, publicKey } = await importKey('X25519', 0x6e, privateKey, ['deriveBits'])
    return {
      publicKey,
      async deriveSharedSecret(peerPublicKey) {
        const { subtle } = crypto
        const peer = await subtle.importKey('raw', Uint8Array.from(peerPublicKey), 'X25519', false, [])
        const secret = new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: peer }, key, 256))
        // Platforms must reject this themselves. One that does not would make every message readable.
        if (secret.every((byte) => byte === 0)) throw new Error('invalid public key: it is of low order')
        return secret
      },
    }
  },
  async createSigner(seed) {
    const { key, publicKey } = await importKey('Ed25519', 0x70, seed, ['sign'])
    return {
      publicKey,
      sign: async (bytes) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, Uint8Array.from(bytes))),
    }
  },
}

async function importKey(
  algorithm: string,
  curve: number,
  bytes: Uint8Array,
  usages: KeyUsage[],
): Promise<{ key: CryptoKey; publicKey: Uint8Array }> {
  const { subtle } = crypto
  const encoded = Uint8Array.from([...pkcs8Prefix(curve), ...bytes])
  const key = await subtle.importKey('pkcs8', encoded, algorithm, true, usages)
  // A JWK export is the only way to get the public key of an imported private key.
  const { x = '' } = await subtle.exportKey('jwk', key)
  return { key, publicKey: fromBase64Url(x) }
}
