import { webUrlSchema } from '../../kit/config/schemas.ts'
import { fromText, optional, type VariableValues } from '../../kit/config/variables.ts'

/** The settings of logins with Farcaster accounts at a key service. */
export type FarcasterSettings = {
  /** A node of the chain with Farcaster's registries. */
  readonly rpcUrl: string
}

/** The relay of the public network. Its applications use no other. */
const publicRelay = 'https://relay.farcaster.xyz'

/** The environment variables of logins by Farcaster. */
export const farcasterVariables = {
  FARCASTER_RPC_URL: optional(fromText(webUrlSchema)),
  FARCASTER_RELAY_URL: optional(fromText(webUrlSchema)),
}

type FarcasterValues = VariableValues<typeof farcasterVariables>

/**
 * Returns the settings, or `undefined` without a node, because accounts cannot be verified then.
 *
 * @example toFarcasterSettings({ FARCASTER_RPC_URL: 'https://mainnet.optimism.io', FARCASTER_RELAY_URL: undefined })
 */
export function toFarcasterSettings({ FARCASTER_RPC_URL: rpcUrl }: FarcasterValues): FarcasterSettings | undefined {
  return rpcUrl === undefined ? undefined : { rpcUrl }
}

/**
 * Returns the relay at which the frame opens channels, without a trailing slash. Without one, the frame offers no login with
 * Farcaster. Default: the public relay if this process has a node for the accounts.
 */
export function toFarcasterRelay(given: FarcasterValues): string | undefined {
  const fallback = given.FARCASTER_RPC_URL === undefined ? undefined : publicRelay
  return (given.FARCASTER_RELAY_URL ?? fallback)?.replace(/\/+$/, '')
}
