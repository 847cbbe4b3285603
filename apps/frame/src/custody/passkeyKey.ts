import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'

const outputBytes = 32

/** Returns the input of WebAuthn's PRF extension (`eval.first`). It differs for each wallet. */
export function passkeyInput(walletId: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes('rek-wrap-v1'), walletId))
}

/**
 * Derives the key that a passkey opens.
 *
 * @param output result of the PRF extension in a `get`, 32 bytes. The result of a `create` is a different one.
 * @param credentialId id of the passkey
 * @returns 32 bytes that the caller has to wipe
 * @throws LatchkeyError `custody/unreadable` if the output has another length
 */
export function passkeyKey(output: Uint8Array, credentialId: Uint8Array): Uint8Array {
  if (output.length !== outputBytes) throw custodyError('custody/unreadable', { what: 'The output of the passkey' })
  return hkdf(sha256, output, credentialId, utf8ToBytes('latchkey/passkey-wrap/1'), 32)
}
