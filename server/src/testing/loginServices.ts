import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet } from 'jose'
import { mountAuth } from '../auth/mountAuth.ts'
import { createSmtpMailer } from '../auth/smtpMailer.ts'
import { systemClock, type Clock } from '../kit/clock.ts'
import { openDatabase } from '../kit/database.ts'
import { createHttp } from '../kit/http.ts'
import type { MasterKey } from '../kit/keyEncryption.ts'
import { createProjects } from '../kit/projects.ts'
import { mountShares } from '../shares/mountShares.ts'
import { createTestDatabase } from './database.ts'
import type { FarcasterSettings } from '../auth/farcaster/settings.ts'
import type { Socials } from '../auth/social/providers.ts'

/** Both services behind the embedded wallet, each with a database and a master key of its own. */
export type LoginServices = {
  readonly authUrl: string
  readonly sharesUrl: string
  /** For looking at what a thief would find. */
  readonly authDatabaseUrl: string
  readonly sharesDatabaseUrl: string
  close(): Promise<void>
}

export type LoginServicesOptions = {
  /** Where mail goes: `smtp://…`. */
  mailUrl: string
  /** One process and port, or two that know of each other no more than public keys. */
  layout?: 'one' | 'split'
  clock?: Clock
  /** Providers that people may log in at. */
  socials?: Socials
  farcaster?: FarcasterSettings
}

/**
 * Starts the auth service and the share store.
 *
 * @example const services = await startLoginServices({ mailUrl: mail.url, layout: 'split' })
 */
export async function startLoginServices(options: LoginServicesOptions): Promise<LoginServices> {
  const { mailUrl, layout = 'one', clock = systemClock, socials = {}, farcaster } = options
  const projects = createProjects('any')
  const [authPlace, sharesPlace] = [await createTestDatabase(), await createTestDatabase()]
  const authApp = await createHttp({ logLevel: 'silent', projects })
  const sharesApp = layout === 'one' ? authApp : await createHttp({ logLevel: 'silent', projects })
  const authDatabase = await openDatabase({ databaseUrl: authPlace.url, dataDir: '' }, authApp.log)
  const sharesDatabase = await openDatabase({ databaseUrl: sharesPlace.url, dataDir: '' }, authApp.log)
  const common = { clock, projects, trustedProxies: 0, socials, farcaster }
  const mailer = () => createSmtpMailer({ url: mailUrl, from: 'Latchkey <login@example.org>' })
  const urls = { auth: '', shares: '' }

  const auth = await mountAuth(authApp, {
    ...common,
    database: authDatabase,
    masterKeys: [newKey()],
    mailer: mailer(),
    url: () => urls.auth,
  })
  if (layout === 'split') urls.auth = await listen(authApp)
  const shares = await mountShares(sharesApp, {
    ...common,
    database: sharesDatabase,
    masterKeys: [newKey()],
    mailer: mailer(),
    authKeys: layout === 'split' ? createRemoteJWKSet(new URL(`${urls.auth}/auth/v1/keys`)) : auth.keySet,
    url: () => urls.shares,
  })
  urls.shares = await listen(sharesApp)
  if (layout === 'one') urls.auth = urls.shares

  return {
    authUrl: urls.auth,
    sharesUrl: urls.shares,
    authDatabaseUrl: authPlace.url,
    sharesDatabaseUrl: sharesPlace.url,
    async close() {
      await shares.close()
      await auth.close()
      await Promise.all([authApp.close(), sharesApp.close()])
      await Promise.all([authDatabase.close(), sharesDatabase.close()])
      await Promise.all([authPlace.close(), sharesPlace.close()])
    },
  }
}

async function listen(app: Awaited<ReturnType<typeof createHttp>>): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

function newKey(): MasterKey {
  return { id: 'test', key: randomBytes(32) }
}
