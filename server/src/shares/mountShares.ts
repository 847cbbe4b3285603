import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import { verifyAccess } from '../auth/accessTokens.ts'
import { checkOf, type FarcasterSettings } from '../auth/farcaster/settings.ts'
import type { Socials } from '../auth/social/providers.ts'
import { admitSome } from '../auth/admitSome.ts'
import type { Mailer } from '../auth/mailer.ts'
import { pepperOf } from '../auth/pepper.ts'
import { createProofs } from '../auth/proof.ts'
import { createWho } from '../auth/who.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { mountEndpoints } from '../kit/endpoint.ts'
import { createKeyEncryption, type MasterKey } from '../kit/keyEncryption.ts'
import { migrate } from '../kit/migrations.ts'
import type { Projects } from '../kit/projects.ts'
import { createSecrets } from '../kit/secrets.ts'
import { createShareAccess } from './access.ts'
import { createAutoKeys } from './autoKeys.ts'
import { createContacts } from './contacts.ts'
import { createDevices } from './devices.ts'
import { createIdentities } from './identity.ts'
import { identityMigrations } from './identityMigrations.ts'
import { identityEndpoints } from './identityRoutes.ts'
import { devicePath, linkEndpoints, serveDevicePage } from './linkRoutes.ts'
import { createLinks } from './links.ts'
import { shareMigrations } from './migrations.ts'
import { createRecoveryStore } from './recoveryStore.ts'
import { setEndpoints } from './setRoutes.ts'
import { wayEndpoints } from './wayRoutes.ts'
import { createWays } from './ways.ts'

/** What the share store needs of the server around it. Of the auth service it knows the public keys, and nothing else. */
export type SharesParts = {
  database: Database
  clock: Clock
  projects: Projects
  trustedProxies: number
  /** Its own, and not the auth service's. */
  masterKeys: readonly [MasterKey, ...MasterKey[]]
  mailer: Mailer
  /** The public keys of the auth service, by which its access tokens are checked. */
  authKeys: JWTVerifyGetKey
  /** Providers whose ID tokens approve devices; their secrets are not needed here. */
  socials?: Socials
  /** Where Farcaster accounts are looked up; nobody is approved by one when left out. */
  farcaster?: FarcasterSettings | undefined
  /** Where frames and people reach the service. */
  url(): string
}

/** The share store. */
export type Shares = { close(): Promise<void> }

const sweepMs = 60 * 60_000

/** Mounts the share store: the third part of every wallet key, vaults, and the approval of devices. */
export async function mountShares(app: FastifyInstance, parts: SharesParts): Promise<Shares> {
  const { database, clock, projects, trustedProxies, masterKeys, mailer, authKeys, url } = parts
  const { kysely } = database
  await migrate(kysely, shareMigrations, 'shares')
  await migrate(kysely, identityMigrations, 'share_identity')
  const keeper = createKeyEncryption(masterKeys)
  const kept = {
    database: kysely,
    clock,
    secrets: createSecrets({ database: kysely, table: 'share_data_key', keeper }),
  }
  const [devices, contacts, ways, autoKeys] = [
    createDevices(kept),
    createContacts(kept),
    createWays(kept),
    createAutoKeys(kept),
  ]
  const store = createRecoveryStore({ ...kept, devices, autoKeys })
  const pepper = await pepperOf({ ...kept, table: 'share_pepper' })
  const links = createLinks({ database: kysely, clock, mailer, pepper, page: () => url() + devicePath })
  const proofs = createProofs({ database: kysely, clock, table: 'share_proof' })
  const known = { known: authKeys, issuer: 'auth', clock }
  const who = createWho({ proofs, url, tokens: { verify: (token, key) => verifyAccess(token, key, known) } })
  const farcaster = checkOf(parts.farcaster, parts)
  const identities = createIdentities({ ...kept, pepper, links, socials: parts.socials ?? {}, farcaster })
  const access = createShareAccess({ clock, who, links, identities, contacts, devices })
  const endpoints = [
    ...identityEndpoints({ identities, who }),
    ...linkEndpoints({ links, who, projects, trustedProxies }),
    ...setEndpoints({ store, access }),
    ...wayEndpoints({ access, ways, autoKeys, contacts, links }),
  ]
  mountEndpoints(app, endpoints, admitSome({ clock, trustedProxies }))
  serveDevicePage(app, links)

  const sweep = (): void => {
    Promise.all([proofs.sweep(), store.sweep(), devices.sweep(), identities.sweep()]).catch((error: unknown) =>
      app.log.warn({ err: error }, 'no sweep'),
    )
  }
  const sweeping = setInterval(sweep, sweepMs)
  return {
    async close() {
      clearInterval(sweeping)
      await mailer.close()
    },
  }
}
