import { z } from 'zod'
import type { Rate } from '../kit/tokenBucket.ts'

/** What one client may use of the relay. */
export type RelayLimits = {
  /** Requests of one socket. */
  rate: Rate
  connectionsPerClient: number
  connectionsPerAddress: number
  /** New connections of one address. */
  handshakes: Rate
  subscriptionsPerSocket: number
  /** Undelivered messages of one topic, and their size together in bytes. */
  mailbox: { messages: number; bytes: number }
  /** Largest message in bytes. */
  messageBytes: number
}

const strict: RelayLimits = {
  rate: { perSecond: 15, burst: 60 },
  connectionsPerClient: 4,
  connectionsPerAddress: 50,
  handshakes: { perSecond: 1, burst: 60 },
  subscriptionsPerSocket: 1_000,
  mailbox: { messages: 100, bytes: 2 * 1024 * 1024 },
  messageBytes: 96 * 1024,
}

/** One machine is everybody here: a test or a bench may do what a hundred visitors do. */
const generous: RelayLimits = {
  ...strict,
  rate: { perSecond: 10_000, burst: 50_000 },
  connectionsPerClient: 100,
  connectionsPerAddress: 20_000,
  handshakes: { perSecond: 5_000, burst: 20_000 },
  mailbox: { messages: 10_000, bytes: 64 * 1024 * 1024 },
}

/** Seconds that a message may be kept. Outside of them a publish is refused, never clamped. */
export const ttlRange = { least: 1, most: 30 * 24 * 60 * 60 } as const

/** The relay's part of the server's configuration. */
export const relayConfig = {
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
}

/** The limits of a profile. */
export function relayLimits(profile: 'public' | 'local'): RelayLimits {
  return profile === 'local' ? generous : strict
}
