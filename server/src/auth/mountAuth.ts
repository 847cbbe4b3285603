import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { mountEndpoints } from '../kit/endpoint.ts'
import { createKeyEncryption, type MasterKey } from '../kit/keyEncryption.ts'
import { migrate } from '../kit/migrations.ts'
import type { Projects } from '../kit/projects.ts'
import { createSecrets } from '../kit/secrets.ts'
import { openAccessTokens, type AccessTokens } from './accessTokens.ts'
import { admitSome } from './admitSome.ts'
import { createAuthShares } from './authShares.ts'
import { createCodes } from './codes.ts'
import { loginEndpoints } from './loginRoutes.ts'
import type { Mailer } from './mailer.ts'
import { authMigrations } from './migrations.ts'
import { pepperOf } from './pepper.ts'
import { createProofs } from './proof.ts'
import { createSessions } from './sessions.ts'
import { shareEndpoints } from './shareRoutes.ts'
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
  /** Outside of the database: the first seals. */
  masterKeys: readonly [MasterKey, ...MasterKey[]]
  mailer: Mailer
  /** Providers that people may log in at; none when left out. */
  socials?: Socials
  /** Where frames reach the service; proofs and tokens name it. */
  url(): string
}

/** The auth service. */
export type Auth = {
  /** By which others check its access tokens. */
  readonly publicKeys: AccessTokens['publicKeys']
  close(): Promise<void>
}

const sweepMs = 60 * 60_000

/** Mounts the auth service: logins, sessions, and its part of every wallet key. */
export async function mountAuth(app: FastifyInstance, parts: AuthParts): Promise<Auth> {
  const { database, clock, projects, trustedProxies, masterKeys, mailer, url } = parts
  const { kysely } = database
  await migrate(kysely, authMigrations, 'auth')
  const encryption = createKeyEncryption(masterKeys)
  const secrets = createSecrets({ database: kysely, table: 'auth_data_key', keeper: encryption })
  const kept = { database: kysely, clock, encryption, secrets }
  const tokens = await openAccessTokens({ ...kept, issuer: 'auth' })
  const proofs = createProofs({ database: kysely, clock, table: 'auth_proof' })
  const who = createWho({ proofs, tokens, url })
  const shares = createAuthShares(kept)
  const codes = createCodes({
    database: kysely,
    clock,
    mailer,
    pepper: await pepperOf({ ...kept, table: 'auth_pepper' }),
  })
  const login = { codes, sessions: createSessions({ database: kysely, clock, tokens }), shares, tokens }
  const users = createUsers(kept)
  const endpoints = [
    ...loginEndpoints({ ...login, users, who, projects, trustedProxies }),
    ...shareEndpoints({ shares, who }),
  ]
  mountEndpoints(app, endpoints, admitSome({ clock, trustedProxies }))
  const socials = await mountSocials(app, {
    ...kept,
    ...login,
    ...parts,
    database: kysely,
    users,
    who,
    socials: parts.socials ?? {},
  })

  const sweep = (): void => {
    Promise.all([proofs.sweep(), shares.sweep()]).catch((error: unknown) => app.log.warn({ err: error }, 'no sweep'))
  }
  const sweeping = setInterval(sweep, sweepMs)
  return {
    publicKeys: tokens.publicKeys,
    async close() {
      clearInterval(sweeping)
      socials.close()
      await mailer.close()
    },
  }
}
