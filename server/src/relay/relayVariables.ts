import { Type, type Static } from '@sinclair/typebox'
import { choiceSchema } from '../kit/config/schemas.ts'
import { fromJson, fromList, fromText, invalidValue, withDefault } from '../kit/config/variables.ts'
import type { Rate } from '../kit/limits/tokenBucket.ts'
import type { StorageLimits } from './limits/storageCeilings.ts'

/** The largest message in bytes: for some tags, and for all others. */
export type MessageSizes = { others: number; byTag: ReadonlyMap<number, number> }

/** The TTL of a message in seconds. A publish outside of this range is refused, never clamped. */
export const ttlRange = { least: 1, most: 30 * 24 * 60 * 60 } as const

/** The limits of the relay. */
export type RelayLimits = {
  /** Requests of one socket. */
  rate: Rate
  /** Items of the batch requests of one client: topics, receipts. */
  items: Rate
  connectionsPerClient: number
  connectionsPerAddress: number
  /** New connections of one address. */
  handshakes: Rate
  subscriptionsPerSocket: number
  /** Subscriptions of all sockets of a client together. */
  subscriptionsPerClient: number
  /** Bytes that the connections of one address take in a process: subscriptions, and frames that wait. */
  memoryPerAddress: number
  /** Messages of one publisher on one topic. */
  publishes: Rate
  /** Undelivered messages of one topic, their size together in bytes, and the size of all of one publisher. */
  mailbox: { messages: number; bytes: number; bytesPerPublisher: number }
  /** Stored messages of one origin, and of all. */
  storage: StorageLimits
  /** The longest TTL of a message in seconds. */
  maxTtl: number
  messageBytes: MessageSizes
}

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

const defaultMessageSizes: MessageSizes = { others: 256 * 1024, byTag: new Map() }

const publicLimits: RelayLimits = {
  rate: { perSecond: 15, burst: 60 },
  // A client that reconnects fetches and subscribes to all of its topics at once.
  items: { perSecond: 100, burst: 3_000 },
  connectionsPerClient: 4,
  connectionsPerAddress: 50,
  handshakes: { perSecond: 1, burst: 60 },
  subscriptionsPerSocket: 1_000,
  subscriptionsPerClient: 5_000,
  memoryPerAddress: 32 * mebibyte,
  publishes: { perSecond: 10, burst: 50 },
  mailbox: { messages: 100, bytes: 2 * 1024 * 1024, bytesPerPublisher: 10 * 1024 * 1024 },
  storage: {
    bytesPerAddress: 64 * mebibyte,
    bytesPerNetwork: 256 * mebibyte,
    bytesPerProject: 4 * gibibyte,
    bytes: 16 * gibibyte,
  },
  maxTtl: ttlRange.most,
  messageBytes: defaultMessageSizes,
}

/** In local development, one machine is all clients: a benchmark does what a hundred users do. */
const localLimits: RelayLimits = {
  ...publicLimits,
  rate: { perSecond: 10_000, burst: 50_000 },
  items: { perSecond: 10_000, burst: 500_000 },
  connectionsPerClient: 100,
  connectionsPerAddress: 20_000,
  handshakes: { perSecond: 5_000, burst: 20_000 },
  subscriptionsPerClient: 100_000,
  memoryPerAddress: 4 * gibibyte,
  publishes: { perSecond: 10_000, burst: 50_000 },
  mailbox: { messages: 10_000, bytes: 64 * 1024 * 1024, bytesPerPublisher: 1024 * 1024 * 1024 },
  storage: {
    bytesPerAddress: 16 * gibibyte,
    bytesPerNetwork: 16 * gibibyte,
    bytesPerProject: 16 * gibibyte,
    bytes: 16 * gibibyte,
  },
}

const countSchema = Type.Integer({ exclusiveMinimum: 0 })
const strict = { additionalProperties: false } as const
const rateSchema = Type.Object({ perSecond: Type.Number({ exclusiveMinimum: 0 }), burst: countSchema }, strict)
const mailboxLimitsSchema = Type.Object(
  { messages: countSchema, bytes: countSchema, bytesPerPublisher: countSchema },
  strict,
)

const storageLimitsSchema = Type.Object(
  { bytesPerAddress: countSchema, bytesPerNetwork: countSchema, bytesPerProject: countSchema, bytes: countSchema },
  strict,
)

/** Limits that an operator sets one by one, by the names of RelayLimits. */
const limitsSchema = Type.Partial(
  Type.Object({
    rate: rateSchema,
    items: rateSchema,
    connectionsPerClient: countSchema,
    connectionsPerAddress: countSchema,
    handshakes: rateSchema,
    subscriptionsPerSocket: countSchema,
    subscriptionsPerClient: countSchema,
    memoryPerAddress: countSchema,
    publishes: rateSchema,
    mailbox: mailboxLimitsSchema,
    storage: storageLimitsSchema,
  }),
  strict,
)

const maxTtlSchema = Type.Integer({
  minimum: 300,
  maximum: ttlRange.most,
  message: `must be seconds from 300 to ${ttlRange.most}`,
})

/** The environment variables of the relay. */
export const relayVariables = {
  RELAY_LIMITS: withDefault(fromJson(limitsSchema), {}),
  RELAY_URLS: withDefault(parseRelayUrls, []),
  RELAY_WEBHOOKS: withDefault(fromText(choiceSchema(['public', 'any'], 'must be public or any')), 'public'),
  RELAY_MAX_TTL: withDefault(fromText(maxTtlSchema), ttlRange.most),
  RELAY_MESSAGE_BYTES: withDefault(parseMessageSizes, defaultMessageSizes),
}

/** Parses the addresses of this relay, which tokens are compared with. */
function parseRelayUrls(text: string): readonly string[] {
  const urls = fromList(Type.String())(text)
  if (urls.every((url) => URL.canParse(url))) return urls
  throw invalidValue('must be URLs, separated by commas')
}

/** Parses the bytes of all messages, and of the messages of single tags: `262144,1109=98304`. */
function parseMessageSizes(text: string): MessageSizes {
  let others = defaultMessageSizes.others
  const byTag = new Map<number, number>()
  for (const item of text.split(',').filter((each) => each.trim() !== '')) {
    const [, tag, bytes] = /^\s*(?:(\d{1,10})=)?(\d{1,6})\s*$/.exec(item) ?? []
    if (Number(bytes ?? 0) === 0) throw invalidValue('must be like 262144 or 262144,1109=98304')
    if (tag === undefined) others = Number(bytes)
    else byTag.set(Number(tag), Number(bytes))
  }
  return { others, byTag }
}

/** Limits that an operator sets instead of the profile's. */
export type RelayLimitsSet = Static<typeof limitsSchema>

/** Gets the limits of a profile, with those that the operator set. */
export function relayLimits(profile: 'public' | 'local', set: RelayLimitsSet = {}): RelayLimits {
  return { ...(profile === 'local' ? localLimits : publicLimits), ...set }
}
