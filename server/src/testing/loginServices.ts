import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { mountAuth, type Auth, type AuthOptions } from '../auth/mountAuth.ts'
import { createRemoteKeySet } from '../custody/requests/remoteKeySet.ts'
import { createRemoteSessions } from '../custody/requests/remoteSessions.ts'
import { createRemoteUsers } from '../custody/requests/remoteUsers.ts'
import { createSmtpMailer } from '../custody/mail/smtpMailer.ts'
import type { Socials } from '../custody/identity/socialProviders.ts'
import { systemClock, type Clock } from '../kit/runtime/clock.ts'
import { openDatabase } from '../kit/database/database.ts'
import { createHttp } from '../kit/http/createHttp.ts'
import { createProjects } from '../kit/http/projects.ts'
import { createInProcessRateLimiters, type RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { MasterKeys } from '../kit/secrets/secrets.ts'
import { mountShares, type SharesOptions } from '../shares/mountShares.ts'
import { createTestDatabase, type TestPostgres } from './database.ts'

/** Both services behind the embedded wallet, each with a database and a master key of its own. */
export type LoginServices = {
  readonly authUrl: string
  readonly sharesUrl: string
  /** For tests that read the databases as a thief would. */
  readonly authDatabaseUrl: string
  readonly sharesDatabaseUrl: string
  /** Runs the hourly work of both services. */
  sweep(): Promise<void>
  /** Kills one of them, or both if they share a process. */
  stop(which: 'auth' | 'shares'): Promise<void>
  /** Starts the stopped services at the same addresses and databases, with other keys if given. */
  start(masterKeys?: ServiceKeys): Promise<void>
  close(): Promise<void>
}

export type ServiceKeys = { readonly auth: MasterKeys; readonly shares: MasterKeys }

export type LoginServicesOptions = {
  /** The URL of the mail server: `smtp://…`. */
  mailUrl: string
  /** One process and port, or two that only know the public keys of each other. */
  layout?: 'one' | 'split'
  clock?: Clock
  /** Identity providers for social logins. */
  socials?: Socials
  /** The master keys of each service; new ones if omitted. */
  masterKeys?: ServiceKeys
  /** The databases of earlier services; empty ones if omitted. */
  databaseUrls?: { auth: string; shares: string }
  /** Options that replace the default ones of either service. */
  parts?: { auth?: Partial<AuthOptions>; shares?: Partial<SharesOptions> }
  /** Set to true if all browsers of a test share one address, which would exceed the limit of requests. */
  unlimitedRequests?: boolean
  /** Called with the path of each route that a service mounts. */
  onRoute?(path: string): void
}

/** The URL of the frame that the services are configured with. */
export const testFrameUrl = 'http://wallet.localhost:4605'

function createUnlimitedRates(clock: Clock): RateLimiters {
  return { ...createInProcessRateLimiters(clock), create: () => ({ take: async () => ({ ok: true }) }) }
}

type Http = Awaited<ReturnType<typeof createHttp>>
type Running = { app: Http; close(): Promise<void>; sweep(): Promise<void> }

/**
 * Starts the auth service and the share store.
 *
 * @example const services = await startLoginServices({ mailUrl: mail.url, layout: 'split' })
 */
export async function startLoginServices(options: LoginServicesOptions): Promise<LoginServices> {
  const context = await createServicesContext(options)
  const { urls, places, running } = context

  await startServices(context)
  return {
    authUrl: urls.auth,
    sharesUrl: urls.shares,
    authDatabaseUrl: places.auth.url,
    sharesDatabaseUrl: places.shares.url,
    async sweep() {
      await running.auth?.sweep()
      await running.shares?.sweep()
    },
    stop: (which) => stopServices(context, which),
    async start(masterKeys = context.keys) {
      context.keys = masterKeys
      await startServices(context)
    },
    async close() {
      await stopServices(context, 'auth')
      await stopServices(context, 'shares')
      await Promise.all([places.auth.close(), places.shares.close()])
    },
  }
}

type ServicesContext = Awaited<ReturnType<typeof createServicesContext>>

/** Creates the databases and the settings that outlast a stop of the services. */
async function createServicesContext(options: LoginServicesOptions) {
  const { mailUrl, layout = 'one', clock = systemClock, socials = {}, databaseUrls: before } = options
  const projects = createProjects('any')
  const places = { auth: await placeOf('auth', before?.auth), shares: await placeOf('shares', before?.shares) }
  const rateLimiters = options.unlimitedRequests === true ? createUnlimitedRates(clock) : undefined
  const running: { auth?: Running; shares?: Running } = {}
  return {
    options,
    layout,
    places,
    common: { clock, projects, trustedProxies: 0, socials, frameUrl: () => testFrameUrl, rateLimiters },
    createMailer: () => createSmtpMailer({ url: mailUrl, from: 'Latchkey <login@example.org>' }),
    urls: { auth: '', shares: '' },
    keys: options.masterKeys ?? { auth: newKeys(), shares: newKeys() },
    running,
  }
}

async function createServiceHttp({ options, common }: ServicesContext): Promise<Http> {
  const app = await createHttp({ logLevel: 'silent', projects: common.projects })
  app.addHook('onRoute', ({ url }) => options.onRoute?.(url))
  return app
}

async function openAuthService(context: ServicesContext, app: Http): Promise<Auth> {
  const { options, common, places, urls, keys, running } = context
  const database = await openDatabase({ databaseUrl: places.auth.url, dataDir: '' }, app.log)
  const own = { database, masterKeys: keys.auth, mailer: context.createMailer(), url: () => urls.auth }
  const auth = await mountAuth(app, { ...common, ...own, ...options.parts?.auth })
  running.auth = { app, sweep: auth.sweep, close: () => closeAll(auth.close, app.close.bind(app), database.close) }
  return auth
}

/** @param auth the auth service in the same process, if there is one */
async function openShareService(context: ServicesContext, app: Http, auth: Auth | undefined): Promise<void> {
  const { options, common, places, urls, keys, running } = context
  const database = await openDatabase({ databaseUrl: places.shares.url, dataDir: '' }, app.log)
  const own = {
    database,
    masterKeys: keys.shares,
    mailer: context.createMailer(),
    authKeys: auth?.keySet ?? createRemoteKeySet(async () => `${urls.auth}/auth/v1/keys`, common.clock),
    isSessionActive: auth?.isSessionActive ?? createRemoteSessions(urls.auth),
    hasUser: auth?.hasUser ?? createRemoteUsers(urls.auth),
    url: () => urls.shares,
  }
  const shares = await mountShares(app, { ...common, ...own, ...options.parts?.shares })
  running.shares = {
    app,
    sweep: shares.sweep,
    close: () => closeAll(shares.close, app.close.bind(app), database.close),
  }
}

/** Starts the services that do not run. */
async function startServices(context: ServicesContext): Promise<void> {
  const { layout, running, urls } = context
  if (layout === 'one') {
    if (running.auth !== undefined) return
    const app = await createServiceHttp(context)
    await openShareService(context, app, await openAuthService(context, app))
    urls.shares = await listen(app, urls.shares)
    urls.auth = urls.shares
    return
  }
  if (running.auth === undefined) {
    const app = await createServiceHttp(context)
    await openAuthService(context, app)
    urls.auth = await listen(app, urls.auth)
  }
  if (running.shares !== undefined) return
  const app = await createServiceHttp(context)
  await openShareService(context, app, undefined)
  urls.shares = await listen(app, urls.shares)
}

async function stopServices({ layout, running }: ServicesContext, which: 'auth' | 'shares'): Promise<void> {
  const names = layout === 'one' ? (['auth', 'shares'] as const) : ([which] as const)
  for (const name of names) {
    const service = running[name]
    running[name] = undefined
    await service?.close()
  }
}

async function closeAll(...closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers) await close()
}

/** Listens on a free port, or on its previous one. */
async function listen(app: Http, before: string): Promise<string> {
  await app.listen({ port: before === '' ? 0 : Number(new URL(before).port), host: '127.0.0.1' })
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

async function placeOf(service: 'auth' | 'shares', url: string | undefined): Promise<TestPostgres> {
  return url === undefined ? createTestDatabase(service) : { url, close: async () => {} }
}

function newKeys(): MasterKeys {
  return [{ id: 'test', key: randomBytes(32) }]
}
