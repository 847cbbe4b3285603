import { z } from 'zod'
import type { Clock } from '../../kit/clock.ts'
import { createFarcasterCheck, type FarcasterCheck } from './check.ts'

/** What a deployment tells of Farcaster. */
export type FarcasterSettings = {
  /** A node of the chain that its registries are on. */
  readonly rpcUrl: string
  /** The page or application that a login is allowed in; it gets `channelToken` and more in its query. */
  readonly appUrl: string
  /** Whom messages are for; the host of the service when left out. Two deployments have to name the same. */
  readonly domain?: string | undefined
}

const web = { protocol: /^https?$/, error: 'must begin with http:// or https://' }

/** The part of the configuration that logins by Farcaster read. */
export const farcasterConfig = {
  FARCASTER_RPC_URL: z.url(web).optional(),
  FARCASTER_APP_URL: z.url(web).default('https://farcaster.xyz/~/siwf'),
  FARCASTER_DOMAIN: z.string().min(1).optional(),
}

/**
 * What the variables say; undefined without a node, for then nobody can be looked up.
 *
 * @example readFarcaster({ FARCASTER_RPC_URL: 'https://mainnet.optimism.io', FARCASTER_APP_URL: '…' })
 */
export function readFarcaster(given: z.infer<z.ZodObject<typeof farcasterConfig>>): FarcasterSettings | undefined {
  const { FARCASTER_RPC_URL: rpcUrl, FARCASTER_APP_URL: appUrl, FARCASTER_DOMAIN: domain } = given
  return rpcUrl === undefined ? undefined : { rpcUrl, appUrl, domain }
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
