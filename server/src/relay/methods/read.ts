import { ttlRange, type RelayLimits } from '../config.ts'
import { invalidParams, invalidPayload, RelayError } from '../errors.ts'

const topicPattern = /^[0-9a-f]{64}$/
const most32Bits = 0xffff_ffff
/** Things that one request may name, and messages that it may publish. */
export const batchLimits = { items: 500, publications: 50 } as const

/** A topic: 32 bytes in hexadecimal. */
export function readTopic(value: unknown): string {
  if (typeof value === 'string' && topicPattern.test(value)) return value
  throw invalidPayload('InvalidTopic', 'a topic is 64 hexadecimal digits')
}

/** From 1 to 500 things, or as many as are said to be the most. */
export function readBatch<item>(
  value: unknown,
  read: (item: unknown) => item,
  most: number = batchLimits.items,
): readonly item[] {
  if (!Array.isArray(value)) throw invalidParams('expected a list')
  if (value.length === 0) throw invalidPayload('BatchEmpty', 'the batch is empty')
  if (value.length > most) throw invalidPayload('BatchLimitExceeded', `a batch has at most ${most} items`)
  return value.map(read)
}

/** A message in bytes that the relay takes. */
export function readMessage(value: unknown, tag: number, { messageBytes }: RelayLimits): string {
  if (!isText(value) || value === '') throw invalidParams('a message is a text')
  const most = messageBytes.byTag.get(tag) ?? messageBytes.others
  if (Buffer.byteLength(value) <= most) return value
  const words = `Payload size limit exceeded. Maximum size for tag ${tag} is ${most}`
  throw new RelayError(-32600, words, 'PayloadSizeExceeded')
}

/** Seconds to keep a message. */
export function readTtl(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidParams('ttl is a whole number of seconds')
  if (value < ttlRange.least) throw new RelayError(-32000, 'Internal error: ttl is too short', 'TtlTooShort')
  if (value > ttlRange.most) throw new RelayError(-32000, 'Internal error: ttl is too long', 'TtlTooLong')
  return value
}

/** What kind of message it is. */
export function readTag(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most32Bits) return value
  throw invalidParams('tag is an unsigned 32-bit number')
}

/** What the publisher says about itself, forwarded as it is. */
export function readAttestation(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isText(value) && value.length <= 8_192) return value
  throw invalidParams('attestation is a text')
}

/** A text that a database keeps as it is: without NUL, and without halves of characters. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value)
}

/** An object of a list. */
export function readRecord(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw invalidParams('expected an object')
}
