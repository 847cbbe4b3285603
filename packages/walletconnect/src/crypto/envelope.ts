import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, fromBase64, randomBytes, toBase64, encodeUtf8, decodeUtf8 } from './bytes.ts'

/** A parsed envelope. Type 1 carries the sender's public key, from which the receiver derives the symmetric key. */
export type Envelope =
  | { readonly type: 0; readonly iv: Uint8Array; readonly sealed: Uint8Array }
  | { readonly type: 1; readonly senderPublicKey: Uint8Array; readonly iv: Uint8Array; readonly sealed: Uint8Array }

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** Derives the symmetric key of two parties from their shared secret: HKDF-SHA-256 (RFC 5869) without salt and info. */
export function deriveSymmetricKey(sharedSecret: Uint8Array): Uint8Array {
  return hkdf(sha256, sharedSecret, undefined, undefined, keyBytes)
}

/** Returns the topic of a symmetric key: its SHA-256 in hex. */
export function topicOfKey(key: Uint8Array): string {
  return bytesToHex(sha256(key))
}

/** Returns the SHA-256 of a message in hex, the id by which duplicates are dropped. */
export function hashMessage(message: string): string {
  return bytesToHex(sha256(encodeUtf8(message)))
}

/**
 * Encrypts a string with ChaCha20-Poly1305 (RFC 8439).
 *
 * @param senderPublicKey makes a type-1 envelope, for receivers that don't know this key yet; type 0 without it
 */
export function sealEnvelope(text: string, key: Uint8Array, senderPublicKey?: Uint8Array): string {
  const iv = randomBytes(ivBytes)
  const sealed = chacha20poly1305(key, iv).encrypt(encodeUtf8(text))
  const head = senderPublicKey === undefined ? [0] : [1, ...senderPublicKey]
  return toBase64(Uint8Array.from([...head, ...iv, ...sealed]))
}

/**
 * Parses an envelope of type 0 or 1.
 *
 * @returns `undefined` for other strings, and for type 2: it is not encrypted and belongs to link mode, so a type-2
 *   message from a relay does not come from the peer.
 */
export function parseEnvelope(message: string): Envelope | undefined {
  const bytes = decodeBase64(message)
  if (bytes === undefined) return undefined
  const [type] = bytes
  const ivAt = type === 1 ? 1 + keyBytes : 1
  const sealedAt = ivAt + ivBytes
  if (bytes.length < sealedAt + tagBytes) return undefined
  const iv = bytes.slice(ivAt, sealedAt)
  const sealed = bytes.slice(sealedAt)
  if (type === 0) return { type, iv, sealed }
  return type === 1 ? { type, senderPublicKey: bytes.slice(1, ivAt), iv, sealed } : undefined
}

/** Decrypts an envelope. Returns `undefined` if the key is wrong or a bit was changed. */
export function openEnvelope(envelope: Envelope, key: Uint8Array): string | undefined {
  try {
    return decodeUtf8(chacha20poly1305(key, envelope.iv).decrypt(envelope.sealed))
  } catch {
    return undefined
  }
}

function decodeBase64(message: string): Uint8Array | undefined {
  try {
    return fromBase64(message)
  } catch {
    return undefined
  }
}
