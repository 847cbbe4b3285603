import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { isProven, utf8Bytes } from './bytes.ts'

/**
 * Verifies that a Solana address signed a message: Ed25519 over its UTF-8 bytes, with the strict rules of RFC 8032.
 *
 * @param signature 64 bytes in base58
 * @returns true if the signature is valid
 * @example verifySolana('GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1', message, signature)
 */
export function verifySolana(address: string, message: string, signature: string): boolean {
  return isProven(() => verifySolanaBytes(address, utf8Bytes(message), base58.decode(signature)))
}

/**
 * Verifies that a Solana address signed bytes, such as the message of a transaction: Ed25519 with the strict rules of RFC 8032.
 *
 * @param signature 64 bytes
 * @returns true if the signature is valid
 * @example verifySolanaBytes('GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1', bytes, signatureBytes)
 */
export function verifySolanaBytes(address: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  return isProven(() => {
    const key = base58.decode(address)
    return key.length === 32 && ed25519.verify(signature, bytes, key, { zip215: false })
  })
}
