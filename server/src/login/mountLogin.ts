import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { Registry } from 'prom-client'
import type { Auth } from '../auth/mountAuth.ts'
import type { KeyServiceOptions } from '../custody/keyService.ts'
import type { Mailer } from '../custody/mail/mailer.ts'
import { openPlaces } from '../custody/requests/source/openPlaces.ts'
import type { Places } from '../custody/requests/source/places.ts'
import { createRemoteKeySet } from '../custody/requests/remoteKeySet.ts'
import { createRemoteSessions, type IsSessionActive } from '../custody/requests/remoteSessions.ts'
import { createRemoteUsers, type HasUser } from '../custody/requests/remoteUsers.ts'
import { createSmtpMailer } from '../custody/mail/smtpMailer.ts'
import type { ServerConfig } from '../config.ts'
import type { FrameAddresses } from '../frame/frameHeaders.ts'
import { findUnsignedFrameWarning } from '../frame/findUnsignedFrameWarning.ts'
import { openFrameSite, type FrameSite } from '../frame/openFrameSite.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import { loadService } from '../kit/runtime/loadService.ts'
import { openDatabase, type Database, type StatementObserver } from '../kit/database/database.ts'
import { openMasterKeys } from '../kit/secrets/openMasterKeys.ts'
import type { Projects } from '../kit/http/projects.ts'

/** The services of the embedded wallet that this process runs. */
export type EmbeddedWalletServices = {
  /** Opens the frame's site, once the server has an address that its page can be given. */
  open(serverUrl: string): Promise<{ frameUrl: string | undefined }>
  close(): Promise<void>
}

export type MountLoginDependencies = {
  /** The counters of this process. */
  metrics: Registry
  database: Database
  rateLimiters: RateLimiters
  clock: Clock
  projects: Projects
  /** Gets the statements of the databases of the key services. */
  observeStatement?: StatementObserver | undefined
}

type MountContext = MountLoginDependencies & {
  app: FastifyInstance
  config: ServerConfig
  urlOf(service: 'auth' | 'shares'): string
  /** The URL of the frame's site: as configured, as it runs here, or the default. */
  frameUrl(): string
  /** The places that mails name. Both key services share one copy of the file. */
  places(): Promise<Places>
  /** Closes something when the services close, in reverse order. */
  onClose(close: () => Promise<void>): void
}

/**
 * Mounts the configured services of the embedded wallet: the auth service, the share store and the frame's site. The two key
 * services share the public keys of the auth service and nothing else, even in one process.
 *
 * @throws Error if a key file is missing, invalid or readable by others, if a key plug-in exports no provider, if the file of
 *   places can't be read, or if a database cannot be used
 */
export async function mountLogin(
  app: FastifyInstance,
  config: ServerConfig,
  dependencies: MountLoginDependencies,
): Promise<EmbeddedWalletServices> {
  const { services, login } = config
  const address = { server: '', frame: login.frame.url ?? `http://localhost:${login.frame.port}` }
  const closers: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).toReversed()) await each()
  }
  const urlOf = (service: 'auth' | 'shares') => login[service].url ?? config.publicUrl ?? address.server
  let places: Promise<Places> | undefined
  const context = {
    ...dependencies,
    places: () => (places ??= openPlaces(login.geoipFile)),
    app,
    config,
    urlOf,
    frameUrl: () => address.frame,
    onClose: (each: () => Promise<void>) => void closers.push(each),
  }
  try {
    const auth = services.includes('auth') ? await openAuth(context) : undefined
    if (services.includes('shares')) await openShares(context, auth)
  } catch (error) {
    await close()
    throw error
  }
  return {
    async open(serverUrl) {
      address.server = serverUrl
      if (!services.includes('frame')) return { frameUrl: undefined }
      const warning = findUnsignedFrameWarning(config)
      if (warning !== undefined) app.log.warn(warning)
      const site = await openSite(config, dependencies.projects, {
        auth: urlOf('auth'),
        shares: urlOf('shares'),
        server: config.publicUrl ?? serverUrl,
        farcasterRelay: login.frame.farcasterRelay,
      })
      closers.push(site.close)
      address.frame = site.url
      return { frameUrl: site.url }
    },
    close,
  }
}

async function openAuth(context: MountContext): Promise<Auth> {
  const { mountAuth } = await loadService('auth', () => import('../auth/mountAuth.ts'))
  const auth = await mountAuth(context.app, await openKeyServiceOptions(context, 'auth'))
  context.onClose(auth.close)
  return auth
}

async function openShares(context: MountContext, auth: Auth | undefined): Promise<void> {
  const { mountShares } = await loadService('shares', () => import('../shares/mountShares.ts'))
  const options = await openKeyServiceOptions(context, 'shares')
  const authKeys = getAuthKeys(auth, context.config.login.auth.url, context.clock)
  const { isSessionActive, hasUser } = getAuthChecks(auth, context.config.login.auth.url)
  const shares = await mountShares(context.app, { ...options, authKeys, isSessionActive, hasUser })
  context.onClose(shares.close)
}

/** Opens the keys and the database of a key service. */
async function openKeyServiceOptions(context: MountContext, service: 'auth' | 'shares'): Promise<KeyServiceOptions> {
  const {
    app,
    config,
    database: serverDatabase,
    clock,
    projects,
    rateLimiters,
    metrics,
    urlOf,
    frameUrl,
    onClose,
  } = context
  const { login, trustedProxies, limits } = config
  const { databaseUrl, keys } = login[service]
  const masterKeys = await openMasterKeys(keys)
  const places = await context.places()
  const database =
    databaseUrl === undefined
      ? await serverDatabase.openSibling(`latchkey_${service}`)
      : await openDatabase({ databaseUrl, dataDir: '' }, app.log, context.observeStatement)
  onClose(database.close)
  return {
    database,
    clock,
    projects,
    rateLimiters,
    metrics,
    masterKeys,
    trustedProxies,
    mailer: openMailer(config),
    places,
    // On a developer's machine, all clients have the same address, so the limit per client is raised.
    mailLimits: { intervalMs: login.mailIntervalMs, ...(limits === 'local' && { perClientPerHour: 2_000 }) },
    // The share store verifies ID tokens itself and does not rely on the auth service.
    socials: login.socials,
    farcaster: login.farcaster,
    url: () => urlOf(service),
    frameUrl,
  }
}

function openSite(
  { host, login: { frame }, chains }: ServerConfig,
  projects: Projects,
  addresses: FrameAddresses,
): Promise<FrameSite> {
  return openFrameSite({
    dir: frame.dir,
    signers: frame.signers,
    host,
    port: frame.port,
    publicUrl: frame.url,
    addresses,
    networks: chains.map((chain) => ({
      chainId: chain.caipNetworkId,
      name: chain.name,
      nativeCurrency: chain.nativeCurrency,
      smartAccounts: chain.smartAccounts && {
        entryPoint: chain.smartAccounts.entryPoint,
        factory: chain.smartAccounts.factory,
        sponsored: chain.smartAccounts.paymasterUrl !== undefined,
        ...(chain.smartAccounts.delegations !== undefined && { delegations: chain.smartAccounts.delegations }),
      },
    })),
    embedders: projects.allowedEmbedders,
  })
}

function openMailer({ login: { mailUrl, mailFrom } }: ServerConfig): Mailer {
  // The configuration requires it.
  if (mailUrl === undefined) throw new Error('MAIL_URL is missing.')
  return createSmtpMailer({ url: mailUrl, from: mailFrom })
}

function getAuthChecks(
  auth: Auth | undefined,
  url: string | undefined,
): { isSessionActive: IsSessionActive; hasUser: HasUser } {
  if (auth !== undefined) return auth
  if (url === undefined) throw new Error('AUTH_URL is missing.')
  return { isSessionActive: createRemoteSessions(url), hasUser: createRemoteUsers(url) }
}

function getAuthKeys(auth: Auth | undefined, url: string | undefined, clock: Clock): JWTVerifyGetKey {
  if (auth !== undefined) return auth.keySet
  if (url === undefined) throw new Error('AUTH_URL is missing.')
  return createRemoteKeySet(async () => `${url}/auth/v1/keys`, clock)
}
