import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'

const nonceBytes = 12

/** The kind of content. Each purpose derives its own key. */
export type Purpose = 'vault' | 'share' | 'recovery-key' | 'recovery-file' | 'policy' | 'permission-origin'

/**
 * Seals bytes under a key (AES-256-GCM with a random nonce, WebCrypto).
 *
 * @param header public and authenticated: the result does not open with another header
 * @returns nonce and ciphertext
 */
export async function seal(
  key: Uint8Array,
  purpose: Purpose,
  header: Uint8Array,
  content: Uint8Array,
): Promise<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const copy = copyToArrayBuffer(content)
  try {
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv: nonce, additionalData: copyToArrayBuffer(header) },
      await deriveSealKey(key, purpose, 'encrypt'),
      copy,
    )
    return concatBytes(nonce, new Uint8Array(sealed))
  } finally {
    copy.fill(0)
  }
}

/**
 * Opens sealed bytes.
 *
 * @param what name of the content for the error message
 * @throws LatchkeyError `custody/unreadable` with the wrong key, another header or changed bytes
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
      {
        name: 'AES-GCM',
        iv: copyToArrayBuffer(sealed.subarray(0, nonceBytes)),
        additionalData: copyToArrayBuffer(header),
      },
      await deriveSealKey(key, purpose, 'decrypt'),
      copyToArrayBuffer(sealed.subarray(nonceBytes)),
    )
    return new Uint8Array(opened)
  } catch {
    throw custodyError('custody/unreadable', { what })
  }
}

async function deriveSealKey(key: Uint8Array, purpose: Purpose, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  const derived = hkdf(sha256, key, undefined, utf8ToBytes(`latchkey/${purpose}/1`), 32)
  const copy = copyToArrayBuffer(derived)
  try {
    return await crypto.subtle.importKey('raw', copy, 'AES-GCM', false, [usage])
  } finally {
    derived.fill(0)
    copy.fill(0)
  }
}

/** WebCrypto accepts no views of shared memory, and its types require that. */
function copyToArrayBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}
