import { randomBytes } from './bytes.ts'
import type { Curves, KeyPair, Signer } from './curves.ts'
import { platformCurves } from './platformCurves.ts'

/** Creates an X25519 key pair, a random one by default. */
export function createKeyPair(privateKey: Uint8Array = randomBytes(32)): Promise<KeyPair> {
  return withCurves((curves) => curves.createKeyPair(privateKey))
}

/** Creates an Ed25519 signer from a 32-byte seed. */
export function createSigner(seed: Uint8Array): Promise<Signer> {
  return withCurves((curves) => curves.createSigner(seed))
}

/** Falls back to JavaScript: older browsers lack the curves, and pages outside a secure context lack platform cryptography. */
async function withCurves<key>(create: (curves: Curves) => Promise<key>): Promise<key> {
  try {
    return await create(platformCurves)
  } catch {
    const { portableCurves } = await import('./portableCurves.ts')
    return create(portableCurves)
  }
}
