import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import { verifyAccess } from '../auth/accessTokens.ts'
import { checkOf, type FarcasterSettings } from '../auth/farcaster/settings.ts'
import type { Socials } from '../auth/social/providers.ts'
import { admitSome } from '../auth/admitSome.ts'
import { createAudit } from '../auth/audit.ts'
import type { MailLimits } from '../auth/codeLimits.ts'
import type { Mailer } from '../auth/mailer.ts'
import { pepperOf } from '../auth/pepper.ts'
import { createProofs } from '../auth/proof.ts'
import { createWho } from '../auth/who.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { mountEndpoints } from '../kit/endpoint.ts'
import { migrate } from '../kit/migrations.ts'
import type { Projects } from '../kit/projects.ts'
import { createSecrets, keeperOf, type MasterKeys } from '../kit/secrets.ts'
import { createShareAccess } from './access.ts'
import { shareAccountEndpoints } from './accountRoutes.ts'
import { createAdoptions } from './adoptions.ts'
import { createAutoKeys } from './autoKeys.ts'
import { createContacts } from './contacts.ts'
import { createShareDeletions } from './deletions.ts'
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
  masterKeys: MasterKeys
  mailer: Mailer
  mailLimits?: MailLimits | undefined
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
export type Shares = {
  /** What is done every hour: forgets what is over, deletes what is due, renews keys. */
  sweep(): Promise<void>
  close(): Promise<void>
}

const sweepMs = 60 * 60_000

/** Mounts the share store: the third part of every wallet key, vaults, and the approval of devices. */
export async function mountShares(app: FastifyInstance, parts: SharesParts): Promise<Shares> {
  const { database, clock, projects, trustedProxies, mailer } = parts
  await migrate(database.kysely, shareMigrations, 'shares')
  await migrate(database.kysely, identityMigrations, 'share_identity')
  const made = await makeParts(app, parts)
  const { links, proofs, store, devices, identities, deletions, secrets } = made
  const endpoints = [
    ...identityEndpoints(made),
    ...linkEndpoints({ ...made, projects, trustedProxies }),
    ...setEndpoints(made),
    ...wayEndpoints(made),
    ...shareAccountEndpoints(made),
  ]
  mountEndpoints(app, endpoints, admitSome({ clock, trustedProxies }))
  serveDevicePage(app, links)

  async function sweep(): Promise<void> {
    await devices.sweep()
    // The enrolments of devices that are forgotten now go with them.
    await Promise.all([proofs.sweep(), store.sweep(), identities.sweep(), deletions.sweep()])
    await secrets.renew()
  }
  const sweeping = setInterval(() => {
    sweep().catch((error: unknown) => app.log.warn({ err: error }, 'no sweep'))
  }, sweepMs)
  return {
    sweep,
    async close() {
      clearInterval(sweeping)
      await mailer.close()
    },
  }
}

async function makeParts(app: FastifyInstance, parts: SharesParts) {
  const { database: whole, clock, trustedProxies, masterKeys, mailer, authKeys, url } = parts
  const database = whole.kysely
  const audit = createAudit({ database, clock, table: 'share_audit', trustedProxies })
  const secrets = createSecrets({
    database,
    table: 'share_data_key',
    keeper: keeperOf(masterKeys),
    onUnreadable: ({ owner, table, row }) =>
      void audit
        .note('secret unreadable', { user: owner, about: `${table} ${row}` })
        .catch((error: unknown) => app.log.error({ err: error }, 'a secret does not open')),
  })
  const kept = { database, clock, secrets, audit }
  const [devices, contacts, autoKeys] = [createDevices(kept), createContacts(kept), createAutoKeys(kept)]
  const pepper = await pepperOf({ ...kept, table: 'share_pepper' })
  const page = () => url() + devicePath
  const links = createLinks({ database, clock, mailer, pepper, limits: parts.mailLimits, page })
  const proofs = createProofs({ database, clock, table: 'share_proof' })
  const known = { known: authKeys, issuer: 'auth', clock }
  const who = createWho({ proofs, url, tokens: { verify: (token, key) => verifyAccess(token, key, known) } })
  const farcaster = checkOf(parts.farcaster, parts)
  const identities = createIdentities({ ...kept, pepper, links, socials: parts.socials ?? {}, farcaster })
  return {
    ...kept,
    devices,
    contacts,
    autoKeys,
    links,
    proofs,
    who,
    identities,
    ways: createWays(kept),
    store: createRecoveryStore({ ...kept, devices, autoKeys }),
    access: createShareAccess({ clock, who, links, identities, contacts, devices }),
    deletions: createShareDeletions(kept),
    adoptions: createAdoptions({ ...kept, contacts }),
  }
}
