import { randomBytes } from './bytes.ts'
import { platformCurves } from './platformCurves.ts'

/** An X25519 key pair (RFC 7748). */
export type KeyPair = {
  readonly publicKey: Uint8Array
  /** The secret shared with whoever has the other key. Rejects when that is of low order, so that everybody has it. */
  agree(peerPublicKey: Uint8Array): Promise<Uint8Array>
}

/** An Ed25519 key (RFC 8032). */
export type Signer = { readonly publicKey: Uint8Array; sign(bytes: Uint8Array): Promise<Uint8Array> }

/** An implementation of Curve25519. Keys are made from 32 bytes. */
export type Curves = {
  keyPair(privateKey: Uint8Array): Promise<KeyPair>
  signer(seed: Uint8Array): Promise<Signer>
}

/** Makes a key pair, a new one unless its private key is given. */
export function createKeyPair(privateKey: Uint8Array = randomBytes(32)): Promise<KeyPair> {
  return withCurves((curves) => curves.keyPair(privateKey))
}

/** Makes a signer from a seed. */
export function createSigner(seed: Uint8Array): Promise<Signer> {
  return withCurves((curves) => curves.signer(seed))
}

/** Older browsers lack the curves, and pages outside a secure context have no platform cryptography at all. */
async function withCurves<key>(make: (curves: Curves) => Promise<key>): Promise<key> {
  try {
    return await make(platformCurves)
  } catch {
    const { portableCurves } = await import('./portableCurves.ts')
    return make(portableCurves)
  }
}
