import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import { mountEndpoints } from '../../kit/endpoint.ts'
import { migrate } from '../../kit/migrations.ts'
import type { Projects } from '../../kit/projects.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Deletions } from '../account/deletions.ts'
import { admitSome } from '../admitSome.ts'
import type { Audit } from '../audit.ts'
import { openFarcaster } from '../farcaster/openFarcaster.ts'
import type { FarcasterSettings } from '../farcaster/settings.ts'
import type { AuthShares } from '../authShares.ts'
import type { Sessions } from '../sessions.ts'
import type { Users } from '../users.ts'
import type { Who } from '../who.ts'
import { serveCallbacks } from './callback.ts'
import { createSocialClient, type SocialClient } from './client.ts'
import { createEnter } from './enter.ts'
import type { Identities } from './identities.ts'
import { socialMigrations } from './migrations.ts'
import { socialNames, type SocialName, type Socials } from './providers.ts'
import { socialEndpoints } from './socialEndpoints.ts'
import { createSocialLogins } from './socialLogins.ts'

export type MountSocialsParts = {
  /** The providers that are set up. */
  socials: Socials
  farcaster?: FarcasterSettings | undefined
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  identities: Identities
  users: Users
  deletions: Pick<Deletions, 'at'>
  audit: Audit
  sessions: Sessions
  shares: AuthShares
  who: Who
  projects: Projects
  trustedProxies: number
  /** Where the service is reached. */
  url(): string
}

/** Logins at other places, as the auth service has them. */
export type MountedSocials = { close(): void }

const sweepMs = 60 * 60_000

/**
 * Mounts the logins at other places, and the pages that they lead back to. No provider is asked anything yet. The auth
 * service's own tables are there before.
 */
export async function mountSocials(app: FastifyInstance, parts: MountSocialsParts): Promise<MountedSocials> {
  const { socials, database, clock, trustedProxies } = parts
  await migrate(database, socialMigrations, 'auth_social')
  const enter = createEnter(parts)
  const logins = createSocialLogins(parts)
  const clients = new Map<SocialName, SocialClient>()
  for (const name of socialNames) {
    const settings = socials[name]
    if (settings !== undefined) clients.set(name, createSocialClient(name, settings, clock))
  }
  const farcaster = await openFarcaster({ ...parts, farcaster: parts.farcaster, enter })
  const endpoints = [...socialEndpoints({ ...parts, clients, logins, enter }), ...farcaster.endpoints]
  mountEndpoints(app, endpoints, admitSome({ clock, trustedProxies }))
  serveCallbacks(app, { ...parts, clients, logins })

  const sweeping = setInterval(() => {
    Promise.all([logins.sweep(), farcaster.sweep()]).catch((error: unknown) => app.log.warn({ err: error }, 'no sweep'))
  }, sweepMs)
  return { close: () => clearInterval(sweeping) }
}
