import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, fromBase64, randomBytes, toBase64, utf8Bytes, utf8Text } from './bytes.ts'

/** A sealed message taken apart. Type 1 carries the public key that its receiver needs to derive the symmetric key. */
export type Envelope =
  | { readonly type: 0; readonly iv: Uint8Array; readonly sealed: Uint8Array }
  | { readonly type: 1; readonly senderPublicKey: Uint8Array; readonly iv: Uint8Array; readonly sealed: Uint8Array }

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** The symmetric key of two parties, from the secret that they share: HKDF-SHA-256 (RFC 5869), neither salt nor info. */
export function symmetricKeyOf(sharedSecret: Uint8Array): Uint8Array {
  return hkdf(sha256, sharedSecret, undefined, undefined, keyBytes)
}

/** The topic on which a symmetric key is used: its SHA-256 in hex. */
export function topicOf(key: Uint8Array): string {
  return bytesToHex(sha256(key))
}

/** The identity of a message for dropping repeats: the SHA-256 of its text in hex. */
export function messageId(message: string): string {
  return bytesToHex(sha256(utf8Bytes(message)))
}

/**
 * Seals a text with ChaCha20-Poly1305 (RFC 8439) into a type-0 envelope, or into type 1 when the receiver still has to
 * learn the sender's public key.
 */
export function seal(text: string, key: Uint8Array, senderPublicKey?: Uint8Array): string {
  const iv = randomBytes(ivBytes)
  const sealed = chacha20poly1305(key, iv).encrypt(utf8Bytes(text))
  const head = senderPublicKey === undefined ? [0] : [1, ...senderPublicKey]
  return toBase64(Uint8Array.from([...head, ...iv, ...sealed]))
}

/**
 * Takes an envelope apart.
 *
 * @returns nothing for what is not one, and for type 2: it is not encrypted and belongs to link mode, so that whoever
 * sends it through a relay is not the peer.
 */
export function readEnvelope(message: string): Envelope | undefined {
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

/** Opens an envelope; nothing when the key is another one or a bit was changed. */
export function open(envelope: Envelope, key: Uint8Array): string | undefined {
  try {
    return utf8Text(chacha20poly1305(key, envelope.iv).decrypt(envelope.sealed))
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
