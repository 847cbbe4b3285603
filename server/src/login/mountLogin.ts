import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import { mountAuth, type Auth } from '../auth/mountAuth.ts'
import type { Mailer } from '../auth/mailer.ts'
import { createRemoteKeys } from '../auth/remoteKeys.ts'
import { createSmtpMailer } from '../auth/smtpMailer.ts'
import type { ServerConfig } from '../config.ts'
import { openFrameSite, type FrameSite } from '../frame/openFrameSite.ts'
import type { Clock } from '../kit/clock.ts'
import { openDatabase, type Database } from '../kit/database.ts'
import { openMasterKeys } from '../kit/openMasterKeys.ts'
import type { Projects } from '../kit/projects.ts'
import { mountShares, type Shares } from '../shares/mountShares.ts'

/** The parts of the embedded wallet that this process runs. */
export type Login = {
  /** Opens the secure site, when the server has an address that its page can be told. */
  open(serverUrl: string): Promise<{ frameUrl: string | undefined }>
  close(): Promise<void>
}

type Given = { database: Database; clock: Clock; projects: Projects }

/**
 * Mounts the auth service, the share store and the secure site, those of them that are configured. The two services meet
 * over the auth service's public keys and nothing else, also when both run here.
 *
 * @throws Error in a sentence when a key file is missing, wrong or readable by others, a key plug-in makes no keeper, or a
 *   database cannot be used
 */
export async function mountLogin(app: FastifyInstance, config: ServerConfig, given: Given): Promise<Login> {
  const { services, login } = config
  const place = { url: '' }
  const closers: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).toReversed()) await stop()
  }
  const urlOf = (service: 'auth' | 'shares') => login[service].url ?? config.publicUrl ?? place.url
  try {
    const auth = services.includes('auth') ? await openAuth() : undefined
    if (services.includes('shares')) await openShares(auth)
  } catch (error) {
    await close()
    throw error
  }

  async function keep(service: 'auth' | 'shares') {
    const { databaseUrl, keys } = login[service]
    const masterKeys = await openMasterKeys(keys)
    const database =
      databaseUrl === undefined
        ? await given.database.beside(`latchkey_${service}`)
        : await openDatabase({ databaseUrl, dataDir: '' }, app.log)
    closers.push(database.close)
    const { clock, projects } = given
    return {
      database,
      clock,
      projects,
      masterKeys,
      trustedProxies: config.trustedProxies,
      mailer: openMailer(config),
      // Where everybody is this machine, counting by machine counts nobody.
      mailLimits: { pause: login.mailPause, ...(config.limits === 'local' && { perClient: 2_000 }) },
      // The share store checks for itself what a provider said: it does not take the other service's word.
      socials: login.socials,
      farcaster: login.farcaster,
      url: () => urlOf(service),
    }
  }

  async function openAuth(): Promise<Auth> {
    const auth = await mountAuth(app, await keep('auth'))
    closers.push(auth.close)
    return auth
  }

  async function openShares(auth: Auth | undefined): Promise<Shares> {
    const shares = await mountShares(app, {
      ...(await keep('shares')),
      authKeys: authKeysOf(auth, login.auth.url, given.clock),
    })
    closers.push(shares.close)
    return shares
  }

  return {
    async open(serverUrl) {
      place.url = serverUrl
      if (!services.includes('frame')) return { frameUrl: undefined }
      const site = await openSite(config, given.projects, {
        auth: urlOf('auth'),
        shares: urlOf('shares'),
        server: config.publicUrl ?? serverUrl,
      })
      closers.push(site.close)
      return { frameUrl: site.url }
    },
    close,
  }
}

function openSite(
  { host, login: { frame }, chains }: ServerConfig,
  projects: Projects,
  addresses: { auth: string; shares: string; server: string },
): Promise<FrameSite> {
  return openFrameSite({
    dir: frame.dir,
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
      },
    })),
    embedders: projects.embedders,
  })
}

function openMailer({ login: { mailUrl, mailFrom } }: ServerConfig): Mailer {
  // The configuration was refused without it.
  if (mailUrl === undefined) throw new Error('MAIL_URL is missing.')
  return createSmtpMailer({ url: mailUrl, from: mailFrom })
}

function authKeysOf(auth: Auth | undefined, url: string | undefined, clock: Clock): JWTVerifyGetKey {
  if (auth !== undefined) return auth.keySet
  if (url === undefined) throw new Error('AUTH_URL is missing.')
  return createRemoteKeys(async () => `${url}/auth/v1/keys`, clock)
}
