import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'

const nonceBytes = 12

/** What a key seals; each purpose has a key of its own below it. */
export type Purpose = 'vault' | 'share' | 'recovery-key'

/**
 * Seals bytes under a key (AES-256-GCM with a random nonce, by the platform).
 *
 * @param header is not secret, and is authenticated: sealed bytes that were moved elsewhere do not open there
 * @returns the nonce and what was sealed
 */
export async function seal(
  key: Uint8Array,
  purpose: Purpose,
  header: Uint8Array,
  content: Uint8Array,
): Promise<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: plain(header) },
    await keyFor(key, purpose, 'encrypt'),
    plain(content),
  )
  return concatBytes(nonce, new Uint8Array(sealed))
}

/**
 * Opens what was sealed.
 *
 * @param what is named in the error, for people
 * @throws LatchkeyError `custody/unreadable` with the wrong key, another header, or changed bytes.
 */
export async function unseal(
  key: Uint8Array,
  purpose: Purpose,
  header: Uint8Array,
  sealed: Uint8Array,
  what: string,
): Promise<Uint8Array> {
  try {
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: plain(sealed.subarray(0, nonceBytes)), additionalData: plain(header) },
      await keyFor(key, purpose, 'decrypt'),
      plain(sealed.subarray(nonceBytes)),
    )
    return new Uint8Array(opened)
  } catch {
    throw custodyError('custody/unreadable', { what })
  }
}

async function keyFor(key: Uint8Array, purpose: Purpose, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  const derived = hkdf(sha256, key, undefined, utf8ToBytes(`latchkey/${purpose}/1`), 32)
  try {
    return await crypto.subtle.importKey('raw', plain(derived), 'AES-GCM', false, [usage])
  } finally {
    derived.fill(0)
  }
}

/** The platform takes arrays of memory that nobody shares only; the types say so. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}
