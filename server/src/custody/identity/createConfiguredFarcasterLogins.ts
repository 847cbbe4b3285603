import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createFarcasterCheck } from './farcasterCheck.ts'
import { createFarcasterLogins, type FarcasterLogins } from './farcasterLogins.ts'
import type { FarcasterSettings } from './farcasterSettings.ts'

export type ConfiguredFarcasterLoginsOptions = {
  farcaster?: FarcasterSettings | undefined
  /** The URL of the frame's site, which the signed messages name. */
  frameUrl?: (() => string | undefined) | undefined
  database: Kysely<unknown>
  clock: Clock
}

/** Creates the Farcaster logins of a service, or returns `undefined` if Farcaster is not configured. */
export function createConfiguredFarcasterLogins(
  service: 'auth' | 'shares',
  { farcaster, frameUrl, database, clock }: ConfiguredFarcasterLoginsOptions,
): FarcasterLogins | undefined {
  if (farcaster === undefined) return undefined
  const check = createFarcasterCheck({
    rpcUrl: farcaster.rpcUrl,
    clock,
    frameUrl() {
      const url = frameUrl?.()
      if (url === undefined) throw new Error('FRAME_URL is missing.')
      return url
    },
  })
  return createFarcasterLogins({ database, clock, check, service })
}
