import { ed25519 } from '@noble/curves/ed25519.js'
import type { Signer } from './signer.ts'

/** Signs without the platform's help. */
export function portableSigner(seed: Uint8Array): Signer {
  return { publicKey: ed25519.getPublicKey(seed), sign: async (bytes) => ed25519.sign(bytes, seed) }
}
