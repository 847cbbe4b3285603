import { hash } from 'node:crypto'
import type { NewRelayMessage, RelayMessage } from '../mailbox.ts'

/** The properties of a message that decide on its delivery and its quotas. They are in its header. */
export type MessageHeader = {
  /** Milliseconds since 1970. */
  publishedAt: number
  /** Milliseconds since 1970. */
  expiresAt: number
  bytes: number
  /** The first 128 bits of the SHA-256 of the text, base64url. */
  digest: string
  /** The hash of the publisher. */
  publisher: string
}

/** The clients that have received messages, by the stream's sequences. They are in the header of a receipt. */
export type ReceiptHeader = {
  /** All of the messages have expired then, in milliseconds since 1970. */
  expiresAt: number
  receipts: readonly ReceiptPart[]
}

/** One receiver of one message. */
export type ReceiptPart = {
  /** The sequence under which the message was delivered. */
  sequence: number
  receiver: string
  /** Identifies the message if it has another sequence now. Receipts of earlier releases have none. */
  message?: Pick<MessageHeader, 'digest' | 'publishedAt'> | undefined
}

/** Formats the header of a message. */
export function formatMessageHeader(header: MessageHeader): string {
  const { publishedAt, expiresAt, bytes, digest, publisher } = header
  return ['m', expiresAt, publishedAt, bytes, digest, publisher].join(' ')
}

/** Formats the header of a receipt. */
export function formatReceiptHeader({ expiresAt, receipts }: ReceiptHeader): string {
  return ['r', expiresAt, ...receipts.flatMap((part) => [formatReceiptPlace(part), part.receiver])].join(' ')
}

function formatReceiptPlace({ sequence, message }: ReceiptPart): string {
  return message === undefined ? String(sequence) : `${sequence}.${message.publishedAt.toString(36)}.${message.digest}`
}

/** Parses the header of a message; `undefined` if it is none. */
export function parseMessageHeader(text: string): MessageHeader | undefined {
  const [kind, expiresAt, publishedAt, bytes, digest, publisher] = text.split(' ')
  if (kind !== 'm' || digest === undefined || publisher === undefined) return undefined
  return {
    expiresAt: Number(expiresAt),
    publishedAt: Number(publishedAt),
    bytes: Number(bytes),
    digest,
    publisher,
  }
}

/** Parses the header of a receipt; `undefined` if it is none. */
export function parseReceiptHeader(text: string): ReceiptHeader | undefined {
  const [kind, expiresAt, ...values] = text.split(' ')
  if (kind !== 'r') return undefined
  const receipts: ReceiptPart[] = []
  for (let place = 0; place + 1 < values.length; place += 2) {
    const [sequence, publishedAt = '', digest] = (values[place] ?? '').split('.')
    const message = digest === undefined ? undefined : { publishedAt: Number.parseInt(publishedAt, 36), digest }
    receipts.push({ sequence: Number(sequence), receiver: values[place + 1] ?? '', message })
  }
  return { expiresAt: Number(expiresAt), receipts }
}

/** Formats what identifies a message of a topic. Its sequence does not: it may change when a server is lost. */
export function formatMessageKey({ publishedAt, digest }: Pick<MessageHeader, 'publishedAt' | 'digest'>): string {
  return `${publishedAt} ${digest}`
}

/** Reads the end of an entry of any kind, in milliseconds since 1970. */
export function readExpiry(text: string): number {
  return Number(text.split(' ', 2)[1] ?? 0)
}

/** Creates the digest of a string. */
export function digestText(text: string): string {
  return hash('sha256', text, 'buffer').toString('base64url', 0, 16)
}

/** Formats the content of a message. */
export function formatPayload({ message, tag, attestation, origin, publisher }: NewRelayMessage): string {
  return JSON.stringify([message, tag, attestation, origin, publisher])
}

/** Puts a stored message together again. Only this program writes the streams. */
export function toRelayMessage(
  topic: string,
  sequence: number,
  { publishedAt, expiresAt }: Pick<MessageHeader, 'publishedAt' | 'expiresAt'>,
  payload: Buffer,
): RelayMessage {
  const [message, tag, attestation, origin, publisher] = JSON.parse(payload.toString()) as [
    string,
    number,
    string,
    string,
    string,
  ]
  return { sequence, topic, message, tag, attestation, origin, publisher, publishedAt, expiresAt }
}
