import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'

const outputBytes = 32

/** What a passkey is asked about (`eval.first` of WebAuthn's PRF extension): for each wallet something else. */
export function passkeyInput(walletId: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes('rek-wrap-v1'), walletId))
}

/**
 * The key that a passkey leads to.
 *
 * @param output what the PRF extension answered in a `get`, 32 bytes; not what it answered when the passkey was made
 * @param credentialId of the passkey
 * @returns 32 bytes, the caller's to wipe
 * @throws LatchkeyError `custody/unreadable` for an output of another length: nothing else may stand in for it
 */
export function passkeyKey(output: Uint8Array, credentialId: Uint8Array): Uint8Array {
  if (output.length !== outputBytes) throw custodyError('custody/unreadable', { what: 'What the passkey answered' })
  return hkdf(sha256, output, credentialId, utf8ToBytes('latchkey/passkey-wrap/1'), 32)
}
