import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { Endpoint } from '../../kit/endpoint.ts'
import { migrate } from '../../kit/migrations.ts'
import type { Projects } from '../../kit/projects.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Enter } from '../social/enter.ts'
import type { Who } from '../who.ts'
import { channelEndpoints } from './channelEndpoints.ts'
import { createChannels } from './channels.ts'
import { farcasterEndpoints } from './farcasterEndpoints.ts'
import { createFarcasterLogins } from './farcasterLogins.ts'
import { farcasterMigrations } from './migrations.ts'
import { createRemoteChannels } from './remoteChannels.ts'
import { checkOf, domainOf, publicRelay, type FarcasterSettings } from './settings.ts'

export type OpenFarcasterParts = {
  /** Undefined where there is no such login. */
  farcaster: FarcasterSettings | undefined
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  enter: Enter
  who: Who
  projects: Projects
  /** Where the service is reached. */
  url(): string
}

/**
 * Sets up the login with Farcaster accounts, and where an application of our own is configured, the relay to it; neither
 * where nothing is configured.
 */
export async function openFarcaster(
  parts: OpenFarcasterParts,
): Promise<{ endpoints: readonly Endpoint[]; sweep(): Promise<void> }> {
  const { farcaster, database, url } = parts
  await migrate(database, farcasterMigrations, 'auth_farcaster')
  const check = checkOf(farcaster, parts)
  if (farcaster === undefined || check === undefined) {
    return { endpoints: farcasterEndpoints({ ...parts, logins: undefined }), sweep: async () => undefined }
  }
  const { appUrl, relayUrl = publicRelay } = farcaster
  const own = appUrl === undefined ? undefined : createChannels({ ...parts, appUrl })
  const channels = own ?? createRemoteChannels(relayUrl)
  const logins = createFarcasterLogins({ ...parts, channels, check, domain: () => domainOf(farcaster, url) })
  return {
    endpoints: [...(own === undefined ? [] : channelEndpoints(own)), ...farcasterEndpoints({ ...parts, logins })],
    async sweep() {
      await Promise.all([own?.sweep(), logins.sweep()])
    },
  }
}
