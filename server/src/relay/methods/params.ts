import { ttlRange, type RelayLimits } from '../relayVariables.ts'
import { invalidParams, invalidPayload, RelayError } from '../errors.ts'

const topicPattern = /^[0-9a-f]{64}$/
const most32Bits = 0xffff_ffff
/** The most items of a request, and the most messages of a batch publish. */
export const batchLimits = { items: 500, messages: 50 } as const

/** Parses a topic: 32 bytes as hex. */
export function parseTopicParam(value: unknown): string {
  if (typeof value === 'string' && topicPattern.test(value)) return value
  throw invalidPayload('InvalidTopic', 'a topic is 64 hexadecimal digits')
}

/** Parses a list of 1 to 500 items, or another maximum. */
export function parseBatchParam<item>(
  value: unknown,
  read: (item: unknown) => item,
  most: number = batchLimits.items,
): readonly item[] {
  if (!Array.isArray(value)) throw invalidParams('expected a list')
  if (value.length === 0) throw invalidPayload('BatchEmpty', 'the batch is empty')
  if (value.length > most) throw invalidPayload('BatchLimitExceeded', `a batch has at most ${most} items`)
  return value.map(read)
}

/** Parses a message, up to the largest size for its tag. */
export function parseMessageParam(value: unknown, tag: number, { messageBytes }: RelayLimits): string {
  if (!isText(value) || value === '') throw invalidParams('a message is a string')
  const most = messageBytes.byTag.get(tag) ?? messageBytes.others
  if (Buffer.byteLength(value) <= most) return value
  const words = `Payload size limit exceeded. Maximum size for tag ${tag} is ${most}`
  throw new RelayError(-32600, words, 'PayloadSizeExceeded')
}

/** Parses a TTL in seconds. */
export function parseTtlParam(value: unknown, { maxTtl }: RelayLimits): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidParams('ttl is a whole number of seconds')
  if (value < ttlRange.least) throw new RelayError(-32000, 'Internal error: ttl is too short', 'TtlTooShort')
  if (value > maxTtl) throw new RelayError(-32000, 'Internal error: ttl is too long', 'TtlTooLong')
  return value
}

/** Parses a tag, which names the kind of a message. */
export function parseTagParam(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most32Bits) return value
  throw invalidParams('tag is an unsigned 32-bit number')
}

/** The largest attestation in bytes. Those of WalletConnect's Verify API have some hundred. */
const maxAttestationBytes = 4_096

/** Parses the publisher's attestation, which is forwarded unchanged. */
export function parseAttestationParam(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isText(value) && Buffer.byteLength(value) <= maxAttestationBytes) return value
  throw invalidParams(`attestation is a string of at most ${maxAttestationBytes} bytes`)
}

/** True for a string that PostgreSQL stores unchanged: without NUL and without lone surrogates. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value)
}

/** Parses an object. */
export function parseRecordParam(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw invalidParams('expected an object')
}
