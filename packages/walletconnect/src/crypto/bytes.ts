import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

export { bytesToHex, hexToBytes }

/** Returns cryptographically random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Returns a random integer in `0 … below - 1`, for ids and jitter. `below` is at most 2³². */
export function randomInteger(below: number): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Math.floor((value / 2 ** 32) * below)
}

/** Encodes a string as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Decodes UTF-8. Throws on malformed bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Encodes base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Decodes base64. Throws on malformed text. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Encodes base64url without padding (RFC 4648 §5), the form that JWTs use. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes base64url, with or without padding. */
export function fromBase64Url(text: string): Uint8Array {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
}

/** True for 32 bytes in lower-case hex, the form of topics and keys on the wire. */
export function isHex32(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}
