import { z } from 'zod'
import type { Clock } from '../../kit/clock.ts'
import { createFarcasterCheck, type FarcasterCheck } from './check.ts'

/** What a deployment tells of Farcaster. */
export type FarcasterSettings = {
  /** A node of the chain that its registries are on. */
  readonly rpcUrl: string
  /**
   * The application that a login is allowed in, when it speaks with the relay of this service; it gets `channelToken` and
   * more in its query. Left out, the public application is used, with the relay that it knows.
   */
  readonly appUrl?: string | undefined
  /** The relay that the public application knows. */
  readonly relayUrl?: string | undefined
  /** Whom messages are for; the host of the service when left out. Two deployments have to name the same. */
  readonly domain?: string | undefined
}

/** Of the public network: its applications know no other. */
export const publicRelay = 'https://relay.farcaster.xyz'

const web = { protocol: /^https?$/, error: 'must begin with http:// or https://' }

/** The part of the configuration that logins by Farcaster read. */
export const farcasterConfig = {
  FARCASTER_RPC_URL: z.url(web).optional(),
  FARCASTER_APP_URL: z.url(web).optional(),
  FARCASTER_RELAY_URL: z.url(web).default(publicRelay),
  FARCASTER_DOMAIN: z.string().min(1).optional(),
}

/**
 * What the variables say; undefined without a node, for then nobody can be looked up.
 *
 * @example readFarcaster({ FARCASTER_RPC_URL: 'https://mainnet.optimism.io', FARCASTER_RELAY_URL: publicRelay })
 */
export function readFarcaster(given: z.infer<z.ZodObject<typeof farcasterConfig>>): FarcasterSettings | undefined {
  const { FARCASTER_RPC_URL: rpcUrl, FARCASTER_APP_URL: appUrl, FARCASTER_DOMAIN: domain } = given
  const relayUrl = given.FARCASTER_RELAY_URL.replace(/\/+$/, '')
  return rpcUrl === undefined ? undefined : { rpcUrl, appUrl, relayUrl, domain }
}

/** Whom messages are for at a service. */
export function domainOf({ domain }: FarcasterSettings, url: () => string): string {
  return domain ?? new URL(url()).host
}

/** The check of a service that is set up for it. */
export function checkOf(
  settings: FarcasterSettings | undefined,
  { url, clock }: { url(): string; clock: Clock },
): FarcasterCheck | undefined {
  if (settings === undefined) return undefined
  return createFarcasterCheck({ rpcUrl: settings.rpcUrl, domain: () => domainOf(settings, url), clock })
}
