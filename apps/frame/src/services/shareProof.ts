import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * Returns the proof that this device got an enrolment from the share store, which the auth service requires before it
 * returns the auth share to a new device.
 *
 * @param sealed the sealed recovery share, as the share store returns it
 */
export function shareProof(sealed: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes('latchkey share proof'), sealed))
}

/** Returns the hash of the proof, by which the auth service recognises it. It reveals nothing about the share. */
export function shareVerifier(sealed: Uint8Array): Uint8Array {
  return sha256(shareProof(sealed))
}
