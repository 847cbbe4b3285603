import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import type { Projects } from '../../kit/http/projects.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import type { Deletions } from '../account/deletions.ts'
import type { RateLimiters } from '../../kit/limits/rateLimiters.ts'
import { rateLimitByIp } from '../../custody/requests/rateLimitByIp.ts'
import type { AuditLog } from '../../custody/auditLog.ts'
import { farcasterEndpoints } from '../farcaster/farcasterEndpoints.ts'
import type { FarcasterLogins } from '../../custody/identity/farcasterLogins.ts'
import type { AuthShares } from '../keyShares/authShares.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Users } from '../login/users.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import type { Places } from '../../custody/requests/source/places.ts'
import type { ProviderAccount } from '../../custody/identity/providerAccount.ts'
import { serveCallbacks } from './serveCallbacks.ts'
import { createSocialClients } from '../../custody/identity/socialClient.ts'
import { createSignIn } from './signIn.ts'
import type { Identities } from './identities.ts'
import type { Socials } from '../../custody/identity/socialProviders.ts'
import { socialEndpoints } from './socialEndpoints.ts'
import { createSocialLogins } from './socialLogins.ts'

export type SocialLoginDependencies = {
  /** The configured providers. */
  socials: Socials
  /** Undefined if Farcaster is not configured. */
  farcasterLogins: FarcasterLogins | undefined
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  pepper: Uint8Array
  identities: Identities
  users: Users
  deletions: Pick<Deletions, 'scheduledAt'>
  auditLog: AuditLog
  sessions: Sessions
  shares: AuthShares
  authenticator: Authenticator
  projects: Projects
  places: Places
  trustedProxies: number
  rateLimiters?: RateLimiters
  /** The base URL of the service. */
  url(): string
  /** The URL of the frame's site, if it is known. */
  frameUrl?: (() => string | undefined) | undefined
}

/**
 * Mounts the logins at identity providers, and the pages that providers redirect to. Nothing is requested from a provider
 * before a login.
 *
 * @returns the deletion of expired logins
 */
export function mountSocials(
  app: FastifyInstance,
  dependencies: SocialLoginDependencies,
): { sweep(): Promise<unknown> } {
  const { socials, clock, farcasterLogins } = dependencies
  const signIn = createSignIn(dependencies)
  const logins = createSocialLogins(dependencies)
  const clients = createSocialClients(socials, clock)
  const endpoints = [
    ...socialEndpoints({ ...dependencies, clients, logins, signIn }),
    ...farcasterEndpoints({ ...dependencies, logins: farcasterLogins, signIn }),
  ]
  mountEndpoints(app, endpoints, rateLimitByIp('auth/social', dependencies))
  const { identities, shares } = dependencies
  const isEnrolled = async (account: ProviderAccount, key: string): Promise<boolean> => {
    const user = await identities.findUser(account)
    return user !== undefined && (await shares.listDevices(user)).some((device) => device.key === key)
  }
  serveCallbacks(app, { ...dependencies, clients, logins, isEnrolled })
  return { sweep: () => Promise.all([logins.sweep(), farcasterLogins?.sweep()]) }
}
