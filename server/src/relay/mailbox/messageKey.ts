import { hash } from 'node:crypto'
import type { NewRelayMessage } from './mailbox.ts'

/** A message with its size and the SHA-256 of its text, which identifies duplicates. Strings cost less than buffers. */
export type HashedMessage = NewRelayMessage & {
  /** With a character per byte. */
  digest: string
  key: string
  bytes: number
}

/** Adds the values that the store compares and counts messages by. Written out, because a spread costs more than the rest. */
export function hashMessage(added: NewRelayMessage): HashedMessage {
  const { topic, message, ttl, tag, attestation, origin, publisher } = added
  const digest = hash('sha256', message, 'binary')
  const bytes = Buffer.byteLength(message)
  return { topic, message, ttl, tag, attestation, origin, publisher, digest, bytes, key: messageKey(topic, digest) }
}

/**
 * Identifies a message by its topic and the digest of its text.
 *
 * @param topic hex digits
 * @param digest with a character per byte
 */
export function messageKey(topic: string, digest: string): string {
  return topic + digest
}
