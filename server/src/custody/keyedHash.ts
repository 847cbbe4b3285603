import { createHmac } from 'node:crypto'

/** Hashes strings under a secret key: without the key, a guess cannot be checked against a hash. */
export type KeyedHash = (purpose: string, text: string) => Buffer

/**
 * Creates a keyed hash (HMAC-SHA-256).
 *
 * @param pepper 32 secret bytes
 */
export function createKeyedHash(pepper: Uint8Array): KeyedHash {
  return (purpose, text) => createHmac('sha256', pepper).update(`${purpose}\0${text}`).digest()
}
