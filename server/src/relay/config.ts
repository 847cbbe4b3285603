import { z } from 'zod'
import type { Rate } from '../kit/tokenBucket.ts'

/** Largest message in bytes: of some tags, and of all others. */
export type MessageSizes = { others: number; byTag: ReadonlyMap<number, number> }

/** What one client may use of the relay. */
export type RelayLimits = {
  /** Requests of one socket. */
  rate: Rate
  connectionsPerClient: number
  connectionsPerAddress: number
  /** New connections of one address. */
  handshakes: Rate
  subscriptionsPerSocket: number
  /** Subscriptions of all sockets of a client together. */
  subscriptionsPerClient: number
  /** Messages of one publisher on one topic. */
  publications: Rate
  /** Undelivered messages of one topic, their size together in bytes, and the size of all of one publisher. */
  mailbox: { messages: number; bytes: number; bytesPerPublisher: number }
  messageBytes: MessageSizes
}

const defaultMessageSizes: MessageSizes = { others: 256 * 1024, byTag: new Map() }

const strict: RelayLimits = {
  rate: { perSecond: 15, burst: 60 },
  connectionsPerClient: 4,
  connectionsPerAddress: 50,
  handshakes: { perSecond: 1, burst: 60 },
  subscriptionsPerSocket: 1_000,
  subscriptionsPerClient: 5_000,
  publications: { perSecond: 10, burst: 50 },
  mailbox: { messages: 100, bytes: 2 * 1024 * 1024, bytesPerPublisher: 10 * 1024 * 1024 },
  messageBytes: defaultMessageSizes,
}

/** One machine is everybody here: a test or a bench may do what a hundred visitors do. */
const generous: RelayLimits = {
  ...strict,
  rate: { perSecond: 10_000, burst: 50_000 },
  connectionsPerClient: 100,
  connectionsPerAddress: 20_000,
  handshakes: { perSecond: 5_000, burst: 20_000 },
  subscriptionsPerClient: 100_000,
  publications: { perSecond: 10_000, burst: 50_000 },
  mailbox: { messages: 10_000, bytes: 64 * 1024 * 1024, bytesPerPublisher: 1024 * 1024 * 1024 },
}

/** Seconds that a message may be kept. Outside of them a publish is refused, never clamped. */
export const ttlRange = { least: 1, most: 30 * 24 * 60 * 60 } as const

const count = z.number().int().positive()
const rate = z.strictObject({ perSecond: z.number().positive(), burst: count })
const mailbox = z.strictObject({ messages: count, bytes: count, bytesPerPublisher: count })

/** Limits that an operator sets one by one, by the names of RelayLimits. */
const limitsSchema = z
  .strictObject({
    rate,
    connectionsPerClient: count,
    connectionsPerAddress: count,
    handshakes: rate,
    subscriptionsPerSocket: count,
    subscriptionsPerClient: count,
    publications: rate,
    mailbox,
  })
  .partial()

/** The relay's part of the server's configuration. */
export const relayConfig = {
  RELAY_LIMITS: z
    .string()
    .default('{}')
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.issues.push({ code: 'custom', input: text, message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(limitsSchema),
  RELAY_URLS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((url) => url.trim())
        .filter((url) => url !== ''),
    )
    .refine((urls) => urls.every((url) => URL.canParse(url)), 'must be addresses, separated by commas'),
  RELAY_WEBHOOKS: z.enum(['public', 'any'], 'must be public or any').default('public'),
  RELAY_MESSAGE_BYTES: z
    .string()
    .default('')
    .transform((text, context) => {
      const sizes = readMessageSizes(text)
      if (sizes !== undefined) return sizes
      context.issues.push({ code: 'custom', input: text, message: 'must be like 262144 or 262144,1109=98304' })
      return z.NEVER
    }),
}

/** Reads a number of bytes for all messages, and others for those of a tag: `262144,1109=98304`. */
function readMessageSizes(text: string): MessageSizes | undefined {
  let others = defaultMessageSizes.others
  const byTag = new Map<number, number>()
  for (const item of text.split(',').filter((each) => each.trim() !== '')) {
    const [, tag, bytes] = /^\s*(?:(\d{1,10})=)?(\d{1,6})\s*$/.exec(item) ?? []
    if (Number(bytes ?? 0) === 0) return undefined
    if (tag === undefined) others = Number(bytes)
    else byTag.set(Number(tag), Number(bytes))
  }
  return { others, byTag }
}

/** Limits that an operator sets instead of a profile's. */
export type RelayLimitsSet = z.infer<typeof limitsSchema>

/** The limits of a profile, but for those that were set. */
export function relayLimits(profile: 'public' | 'local', set: RelayLimitsSet = {}): RelayLimits {
  return { ...(profile === 'local' ? generous : strict), ...set }
}
