import type { FrameConfig } from './frameConfig.ts'

/** The operators of the services that a user's wallet depends on, as far as the addresses tell. */
export type Operators = {
  /** True if two operators keep the key shares. */
  readonly split: boolean
  /** Host of the relay of Farcaster logins, if the user logs in with Farcaster. */
  readonly relay: string | undefined
}

/**
 * Returns the operators of a user's wallet.
 *
 * @param social provider that the user logs in with
 */
export function operatorsOf({ auth, shares, farcasterRelay }: FrameConfig, social: string | undefined): Operators {
  const usesRelay = social === 'farcaster' && farcasterRelay !== undefined
  return {
    split: new URL(auth).origin !== new URL(shares).origin,
    relay: usesRelay ? new URL(farcasterRelay).host : undefined,
  }
}
