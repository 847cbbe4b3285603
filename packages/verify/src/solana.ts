import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { proves, utf8Bytes } from './bytes.ts'

/**
 * Whether an address of Solana signed a text: Ed25519 over its UTF-8 bytes, by the strict rules of RFC 8032.
 *
 * @param signature 64 bytes as base58
 * @example verifySolana('GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1', message, signature)
 */
export function verifySolana(address: string, message: string, signature: string): boolean {
  return proves(() => {
    const key = base58.decode(address)
    return key.length === 32 && ed25519.verify(base58.decode(signature), utf8Bytes(message), key, { zip215: false })
  })
}
