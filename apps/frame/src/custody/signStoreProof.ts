import { ed25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** The signature of a message, and the public key that verifies it (Ed25519). */
export type StoreSignature = { readonly publicKey: Uint8Array; readonly signature: Uint8Array }

/**
 * Returns the public key with which the share store verifies that the wallet is open. It is derived for this purpose only, so
 * that the share store learns no address.
 *
 * @param entropy the caller has to wipe it
 */
export function storeProofKey(entropy: Uint8Array): Uint8Array {
  return withProofKey(entropy, (key) => ed25519.getPublicKey(key))
}

/**
 * Proves to the share store that this device opened the wallet.
 *
 * @param entropy the caller has to wipe it
 * @param text the action with a challenge of the share store, see `storeProofText`
 */
export function signStoreProof(entropy: Uint8Array, text: Uint8Array): StoreSignature {
  return withProofKey(entropy, (key) => ({ publicKey: ed25519.getPublicKey(key), signature: ed25519.sign(text, key) }))
}

function withProofKey<result>(entropy: Uint8Array, act: (key: Uint8Array) => result): result {
  const key = hkdf(sha256, entropy, undefined, utf8ToBytes('latchkey/share-store-proof-signing/1'), 32)
  try {
    return act(key)
  } finally {
    key.fill(0)
  }
}
