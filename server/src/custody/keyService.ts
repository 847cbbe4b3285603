import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Database } from '../kit/database/database.ts'
import { migrate, type Migrations } from '../kit/database/migrations.ts'
import { mountEndpoints, type Endpoint } from '../kit/http/defineEndpoint.ts'
import type { Projects } from '../kit/http/projects.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import { createSecrets, toKeyEncryptionProvider, type MasterKeys, type Secrets } from '../kit/secrets/secrets.ts'
import { createAuditLog, type AuditLog } from './auditLog.ts'
import type { FarcasterSettings } from './identity/farcasterSettings.ts'
import type { Socials } from './identity/socialProviders.ts'
import { createKeyServiceMetrics } from './keyServiceMetrics.ts'
import { loadPepper } from './loadPepper.ts'
import type { Mailer } from './mail/mailer.ts'
import type { MailLimits } from './mail/mailLimits.ts'
import { createPlaces, type Places } from './requests/source/places.ts'
import { createDpopProofs, type DpopProofs } from './requests/dpopProofs.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import { unwrapSimpleRequest } from './unwrapSimpleRequest.ts'
import { rateLimitByIp } from './requests/rateLimitByIp.ts'

/** The options that both key services take: the auth service and the share store. */
export type KeyServiceOptions = {
  database: Database
  clock: Clock
  projects: Projects
  trustedProxies: number
  /** Limits that the processes of the service share. Each process limits on its own if omitted. */
  rateLimiters?: RateLimiters
  /** The service's own keys, kept outside the database: the first one seals. Or a provider that keeps them. */
  masterKeys: MasterKeys
  mailer: Mailer
  /** The places that mails name. None are known if omitted. */
  places?: Places | undefined
  mailLimits?: MailLimits | undefined
  /** The identity providers. None if omitted. */
  socials?: Socials
  /** The settings of logins with Farcaster accounts. Disabled if omitted. */
  farcaster?: FarcasterSettings | undefined
  /** The base URL of the service, as browsers reach it. Proofs and tokens name it. */
  url(): string
  /** The counters of this process. */
  metrics?: Registry
  /** The URL of the frame's site. Passkeys are accepted from its origin only, and login pages pass their secrets to it only. */
  frameUrl(): string
}

/** A running key service. */
export type KeyService = {
  /** The hourly work: deletes what has expired or is due for deletion, and renews keys. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The shared foundation of both key services. */
export type KeyServiceFoundation = {
  readonly database: Kysely<unknown>
  readonly clock: Clock
  readonly mailer: Mailer
  readonly places: Places
  readonly auditLog: AuditLog
  readonly secrets: Secrets
  readonly pepper: Buffer
  readonly proofs: DpopProofs
}

const sweepIntervalMs = 60 * 60_000
const tables = {
  auth: {
    auditLog: 'auth_audit',
    refusals: 'auth_refusal',
    dataKeys: 'auth_data_key',
    pepper: 'auth_pepper',
    proofs: 'auth_proof',
  },
  shares: {
    auditLog: 'share_audit',
    refusals: 'share_refusal',
    dataKeys: 'share_data_key',
    pepper: 'share_pepper',
    proofs: 'share_proof',
  },
} as const

/**
 * Migrates the database of a key service and opens its secrets.
 *
 * @throws Error if the database cannot be migrated, or was sealed under other master keys
 */
export async function openKeyServiceFoundation(
  app: FastifyInstance,
  service: { name: keyof typeof tables; migrations: Migrations },
  {
    database: { kysely: database },
    clock,
    trustedProxies,
    masterKeys,
    mailer: plainMailer,
    places = createPlaces(),
    metrics: registry,
  }: KeyServiceOptions,
): Promise<KeyServiceFoundation> {
  await migrate(database, service.migrations, service.name)
  const table = tables[service.name]
  const metrics = createKeyServiceMetrics(service.name, registry)
  const mailer = metrics.countMails(plainMailer)
  const auditLog = createAuditLog({
    database,
    clock,
    table: table.auditLog,
    refusalTable: table.refusals,
    trustedProxies,
    count: metrics.countEvent,
  })
  const secrets = createSecrets({
    database,
    table: table.dataKeys,
    keyEncryption: toKeyEncryptionProvider(masterKeys),
    onUnreadable: ({ owner, table: name, row }) =>
      void auditLog
        .record('secret unreadable', { user: owner, about: `${name} ${row}` })
        .catch((error: unknown) => app.log.error({ err: error }, 'a secret is unreadable')),
  })
  const pepper = await loadPepper({ database, secrets, table: table.pepper })
  const proofs = createDpopProofs({ database, clock, table: table.proofs })
  return { database, clock, mailer, places, auditLog, secrets, pepper, proofs }
}

export type KeyServiceRoutines = {
  /** Names the rate limit of the service. */
  service: 'auth' | 'shares'
  endpoints: readonly Endpoint[]
  /** Deletes expired rows, hourly. The foundation's own sweep follows. */
  sweep(): Promise<unknown>
}

/** Mounts the endpoints of a key service behind a rate limit and starts its hourly sweep. */
export function runKeyService(
  app: FastifyInstance,
  options: Pick<KeyServiceOptions, 'clock' | 'trustedProxies' | 'rateLimiters' | 'projects'>,
  { mailer, proofs, secrets, auditLog }: Pick<KeyServiceFoundation, 'mailer' | 'proofs' | 'secrets' | 'auditLog'>,
  routines: KeyServiceRoutines,
): KeyService {
  app.addHook('preValidation', async (request) => unwrapSimpleRequest(request, options.projects))
  mountEndpoints(app, routines.endpoints, rateLimitByIp(`${routines.service}/requests`, options))

  async function sweep(): Promise<void> {
    await Promise.all([proofs.sweep(), auditLog.sweep(), routines.sweep()])
    await secrets.rewrapKeys()
  }
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => app.log.warn({ err: error }, 'the hourly sweep failed'))
  }, sweepIntervalMs)
  return {
    sweep,
    async close() {
      clearInterval(timer)
      await mailer.close()
    },
  }
}
