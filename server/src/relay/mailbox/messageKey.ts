import { hash } from 'node:crypto'
import type { NewRelayMessage } from './mailbox.ts'

/** A message with its size and the SHA-256 of its text, which identifies duplicates. */
export type HashedMessage = NewRelayMessage & { topicBytes: Buffer; digest: Buffer; key: string; bytes: number }

/** Adds the values that the store compares and counts messages by. */
export function hashMessage(message: NewRelayMessage): HashedMessage {
  const topicBytes = Buffer.from(message.topic, 'hex')
  const digest = hash('sha256', message.message, 'buffer')
  const bytes = Buffer.byteLength(message.message)
  return { ...message, topicBytes, digest, bytes, key: messageKey(topicBytes, digest) }
}

/** Identifies a message by its topic and the digest of its text. */
export function messageKey(topic: Buffer, digest: Buffer): string {
  return topic.toString('latin1') + digest.toString('latin1')
}
