import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Projects } from '../../kit/http/projects.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import type { SignIn } from '../social/signIn.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { channelEndpoints } from './channelEndpoints.ts'
import { createChannels } from './channels.ts'
import { farcasterEndpoints } from './farcasterEndpoints.ts'
import { createFarcasterLogins } from './farcasterLogins.ts'
import { createRemoteChannels } from './remoteChannels.ts'
import {
  createConfiguredFarcasterCheck,
  farcasterDomain,
  publicRelay,
  type FarcasterSettings,
} from '../../custody/identity/farcasterSettings.ts'

export type FarcasterServiceDependencies = {
  /** Undefined disables the login. */
  farcaster: FarcasterSettings | undefined
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  signIn: SignIn
  authenticator: Authenticator
  projects: Projects
  /** The base URL of the service. */
  url(): string
}

/**
 * Creates the login with Farcaster accounts, and the relay to a Farcaster application of our own if one is configured.
 * Without settings, the endpoints report that the login is not set up.
 */
export function createFarcasterService(dependencies: FarcasterServiceDependencies): {
  endpoints: readonly Endpoint[]
  sweep(): Promise<void>
} {
  const { farcaster, url } = dependencies
  const check = createConfiguredFarcasterCheck(farcaster, dependencies)
  if (farcaster === undefined || check === undefined) {
    return { endpoints: farcasterEndpoints({ ...dependencies, logins: undefined }), sweep: async () => undefined }
  }
  const { appUrl, relayUrl = publicRelay } = farcaster
  const own = appUrl === undefined ? undefined : createChannels({ ...dependencies, appUrl })
  const channels = own ?? createRemoteChannels(relayUrl)
  const domain = () => farcasterDomain(farcaster, url)
  const logins = createFarcasterLogins({ ...dependencies, channels, check, domain })
  return {
    endpoints: [
      ...(own === undefined ? [] : channelEndpoints(own)),
      ...farcasterEndpoints({ ...dependencies, logins }),
    ],
    async sweep() {
      await Promise.all([own?.sweep(), logins.sweep()])
    },
  }
}
