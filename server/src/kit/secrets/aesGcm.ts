import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/** The bytes that encryption adds. */
export const aesGcmOverheadBytes = nonceBytes + tagBytes

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D).
 *
 * @param key 32 bytes
 * @param associatedData authenticated but not encrypted
 * @returns the random nonce of 12 bytes, the ciphertext, and the tag of 16 bytes
 */
export function encryptAesGcm(key: Uint8Array, associatedData: Uint8Array, plaintext: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData)
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/**
 * Decrypts the output of `encryptAesGcm`.
 *
 * @throws Error if it was changed or shortened, or belongs to other associated data
 */
export function decryptAesGcm(key: Uint8Array, associatedData: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed.length < aesGcmOverheadBytes) throw new Error('The sealed secret is incomplete.')
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(associatedData)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    throw new Error('The sealed secret does not open: it was changed, or belongs to another row.')
  }
}
