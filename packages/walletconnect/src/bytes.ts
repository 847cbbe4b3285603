import { base64 } from '@scure/base'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

/** Cryptographically random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** A random integer in `0 … below - 1`, for ids and jitter; `below` is at most 2³². */
export function randomInteger(below: number): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Math.floor((value / 2 ** 32) * below)
}

export function utf8Bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Reads UTF-8 strictly; throws on bytes that are not. */
export function utf8Text(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Whether a value is 32 bytes in lower-case hex: the form of topics and keys on the wire. */
export function isHex32(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

export { base64, bytesToHex, hexToBytes }
