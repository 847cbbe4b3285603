import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { mountEndpoints } from '../kit/endpoint.ts'
import { migrate } from '../kit/migrations.ts'
import type { Projects } from '../kit/projects.ts'
import { Problem } from '../kit/problem.ts'
import { createSecrets, keeperOf, type MasterKeys } from '../kit/secrets.ts'
import { openAccessTokens, type AccessTokens } from './accessTokens.ts'
import { accountEndpoints } from './account/accountRoutes.ts'
import { createDeletions, type Deletions } from './account/deletions.ts'
import { createEmailChanges, type EmailChanges } from './account/emailChanges.ts'
import { emailEndpoints } from './account/emailRoutes.ts'
import { createPasswordOprf } from './account/oprf.ts'
import { createPasskeys } from './account/passkeys.ts'
import { proofEndpoints } from './account/proofRoutes.ts'
import { createRisks } from './account/risks.ts'
import { admitSome } from './admitSome.ts'
import { createAudit } from './audit.ts'
import { createAuthShares } from './authShares.ts'
import type { MailLimits } from './codeLimits.ts'
import { createCodes } from './codes.ts'
import { serveLinkedAct, type LinkedAct } from './linkPage.ts'
import { loginEndpoints } from './loginRoutes.ts'
import type { Mailer } from './mailer.ts'
import { authMigrations } from './migrations.ts'
import { pepperOf } from './pepper.ts'
import { createProofs } from './proof.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { shareEndpoints } from './shareRoutes.ts'
import type { FarcasterSettings } from './farcaster/settings.ts'
import { createIdentities } from './social/identities.ts'
import { mountSocials } from './social/mountSocials.ts'
import type { Socials } from './social/providers.ts'
import { createUsers } from './users.ts'
import { createWho } from './who.ts'

/** What the auth service needs of the server around it. */
export type AuthParts = {
  database: Database
  clock: Clock
  projects: Projects
  trustedProxies: number
  /** Outside of the database: keys of which the first seals, or whoever keeps them. */
  masterKeys: MasterKeys
  mailer: Mailer
  mailLimits?: MailLimits | undefined
  /** Providers that people may log in at; none when left out. */
  socials?: Socials
  /** How Farcaster accounts log in; they do not when left out. */
  farcaster?: FarcasterSettings | undefined
  /** Where frames reach the service; proofs and tokens name it. */
  url(): string
}

/** The auth service. */
export type Auth = {
  /** By which others check its access tokens. */
  readonly publicKeys: AccessTokens['publicKeys']
  /** The same for whoever runs in this process: it goes on when a key follows another. */
  readonly keySet: AccessTokens['keySet']
  /** What is done every hour: forgets what is over, deletes what is due, renews keys. */
  sweep(): Promise<void>
  close(): Promise<void>
}

const sweepMs = 60 * 60_000

/** Mounts the auth service: logins, sessions, and its part of every wallet key. */
export async function mountAuth(app: FastifyInstance, parts: AuthParts): Promise<Auth> {
  const { database, clock, projects, trustedProxies, mailer } = parts
  await migrate(database.kysely, authMigrations, 'auth')
  const made = await makeParts(app, parts)
  const { tokens, proofs, shares, secrets, oprf, passkeys, deletions, changes } = made
  const common = { ...made, projects, trustedProxies, mailer }
  const cancelPage = () => parts.url() + cancelPath
  const endpoints = [
    ...loginEndpoints(common),
    ...shareEndpoints(common),
    ...emailEndpoints(common),
    ...proofEndpoints(common),
    ...accountEndpoints({ ...common, cancelPage }),
  ]
  mountEndpoints(app, endpoints, admitSome({ clock, trustedProxies }))
  serveLinkedAct(app, revertAct(changes))
  serveLinkedAct(app, cancelAct(deletions))
  const socials = await mountSocials(app, { ...parts, ...made, socials: parts.socials ?? {} })

  async function sweep(): Promise<void> {
    await Promise.all([proofs.sweep(), shares.sweep(), oprf.sweep(), passkeys.sweep(), deletions.sweep()])
    await Promise.all([tokens.rotate(), secrets.renew()])
  }
  const sweeping = setInterval(() => {
    sweep().catch((error: unknown) => app.log.warn({ err: error }, 'no sweep'))
  }, sweepMs)
  return {
    publicKeys: tokens.publicKeys,
    keySet: tokens.keySet,
    sweep,
    async close() {
      clearInterval(sweeping)
      socials.close()
      await mailer.close()
    },
  }
}

async function makeParts(app: FastifyInstance, parts: AuthParts) {
  const { database: whole, clock, trustedProxies, masterKeys, mailer, url } = parts
  const database = whole.kysely
  const audit = createAudit({ database, clock, table: 'auth_audit', trustedProxies })
  const secrets = createSecrets({
    database,
    table: 'auth_data_key',
    keeper: keeperOf(masterKeys),
    onUnreadable: ({ owner, table, row }) =>
      void audit
        .note('secret unreadable', { user: owner, about: `${table} ${row}` })
        .catch((error: unknown) => app.log.error({ err: error }, 'a secret does not open')),
  })
  const kept = { database, clock, secrets, audit, mailer }
  const pepper = await pepperOf({ ...kept, table: 'auth_pepper' })
  const tokens = await openAccessTokens({ ...kept, issuer: 'auth' })
  const sessions = createSessions({ ...kept, tokens })
  const proofs = createProofs({ database, clock, table: 'auth_proof' })
  const who = createWho({ proofs, tokens: { verify: liveOnly(tokens, sessions) }, url })
  const users = createUsers(kept)
  const codes = createCodes({ ...kept, pepper, limits: parts.mailLimits })
  const changes = createEmailChanges({ ...kept, codes, users, sessions, page: () => url() + revertPath })
  return {
    ...kept,
    tokens,
    sessions,
    proofs,
    who,
    users,
    codes,
    changes,
    shares: createAuthShares(kept),
    identities: createIdentities({ ...kept, pepper }),
    risks: createRisks({ clock, users }),
    oprf: createPasswordOprf(kept),
    passkeys: createPasskeys(kept),
    deletions: createDeletions(kept),
  }
}

/** A token lives for minutes longer than its session: here, where that is known, it does not. [K-08] */
function liveOnly(tokens: AccessTokens, sessions: Pick<Sessions, 'isLive'>): AccessTokens['verify'] {
  return async (token, key) => {
    const access = await tokens.verify(token, key)
    if (await sessions.isLive(access.session)) return access
    throw new Problem(401, 'token', 'This session is over. Log in again.')
  }
}

const revertPath = '/auth/v1/email/revert'
const cancelPath = '/auth/v1/deletion/kept'

function revertAct({ look, revert }: EmailChanges): LinkedAct {
  return {
    path: revertPath,
    title: 'Take the new address back?',
    says: 'The login of your wallet comes back to this address. Whoever is logged in now is logged out.',
    button: 'Take it back',
    done: 'This address is the login again',
    look,
    act: revert,
  }
}

function cancelAct({ look, cancelBy }: Deletions): LinkedAct {
  return {
    path: cancelPath,
    title: 'Keep your wallet?',
    says: 'Your wallet was going to be deleted. It stays if you want it to.',
    button: 'Keep it',
    done: 'Your wallet stays',
    look,
    act: cancelBy,
  }
}
