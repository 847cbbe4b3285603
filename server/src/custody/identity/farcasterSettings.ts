import { Type } from '@sinclair/typebox'
import { webUrlSchema } from '../../kit/config/schemas.ts'
import { fromText, optional, withDefault, type VariableValues } from '../../kit/config/variables.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createFarcasterCheck, type FarcasterCheck } from './farcasterCheck.ts'

/** The settings of logins with Farcaster accounts. */
export type FarcasterSettings = {
  /** A node of the chain with Farcaster's registries. */
  readonly rpcUrl: string
  /**
   * A Farcaster application that uses the relay of this service. It receives `channelToken` and more in its query. Default:
   * the public application with its own relay.
   */
  readonly appUrl?: string | undefined
  /** The relay of the public application. */
  readonly relayUrl?: string | undefined
  /** The domain that messages name. Default: the host of the service. Both key services must use the same domain. */
  readonly domain?: string | undefined
}

/** The relay of the public network. Its applications use no other. */
export const publicRelay = 'https://relay.farcaster.xyz'

/** The environment variables of logins by Farcaster. */
export const farcasterVariables = {
  FARCASTER_RPC_URL: optional(fromText(webUrlSchema)),
  FARCASTER_APP_URL: optional(fromText(webUrlSchema)),
  FARCASTER_RELAY_URL: withDefault(fromText(webUrlSchema), publicRelay),
  FARCASTER_DOMAIN: optional(fromText(Type.String({ minLength: 1 }))),
}

/**
 * Returns the settings, or `undefined` without a node, because accounts cannot be verified then.
 *
 * @example toFarcasterSettings({ FARCASTER_RPC_URL: 'https://mainnet.optimism.io', FARCASTER_RELAY_URL: publicRelay })
 */
export function toFarcasterSettings(given: VariableValues<typeof farcasterVariables>): FarcasterSettings | undefined {
  const { FARCASTER_RPC_URL: rpcUrl, FARCASTER_APP_URL: appUrl, FARCASTER_DOMAIN: domain } = given
  const relayUrl = given.FARCASTER_RELAY_URL.replace(/\/+$/, '')
  return rpcUrl === undefined ? undefined : { rpcUrl, appUrl, relayUrl, domain }
}

/** Returns the domain that messages to a service name. */
export function farcasterDomain({ domain }: FarcasterSettings, url: () => string): string {
  return domain ?? new URL(url()).host
}

/** Creates the check of a service, or returns `undefined` if Farcaster is not configured. */
export function createConfiguredFarcasterCheck(
  settings: FarcasterSettings | undefined,
  { url, clock }: { url(): string; clock: Clock },
): FarcasterCheck | undefined {
  if (settings === undefined) return undefined
  return createFarcasterCheck({ rpcUrl: settings.rpcUrl, domain: () => farcasterDomain(settings, url), clock })
}
