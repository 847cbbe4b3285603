import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import type { Curves } from './curves.ts'

/** Curve25519 in JavaScript. */
export const portableCurves: Curves = {
  createKeyPair: async (privateKey) => ({
    publicKey: x25519.getPublicKey(privateKey),
    deriveSharedSecret: async (peerPublicKey) => x25519.getSharedSecret(privateKey, peerPublicKey),
  }),
  createSigner: async (seed) => ({
    publicKey: ed25519.getPublicKey(seed),
    sign: async (bytes) => ed25519.sign(bytes, seed),
  }),
}
