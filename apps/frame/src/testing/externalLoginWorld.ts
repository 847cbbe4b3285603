import {
  startAnvil,
  startFarcaster,
  startIdentity,
  startMail,
  type LocalFarcaster,
  type LocalMail,
} from '@latchkey/devnet'
import { startLoginServices, testFrameUrl, type LoginServices } from '@latchkey/server/testing'
import type { KeyHolder } from '../worker/keyHolder.ts'
import { openTestHolder } from './openTestHolder.ts'

/** Both services with all logins, and what they need. */
export type ExternalLoginWorld = {
  readonly mail: LocalMail
  readonly farcaster: LocalFarcaster
  readonly services: LoginServices
  /** Opens a new browser. All are in one network and of one kind. */
  openBrowser(): Promise<KeyHolder>
  close(): Promise<void>
}

/**
 * Starts both services with logins by mail, at identity providers and with Farcaster.
 *
 * @param now the time of the services and of all browsers
 * @example const world = await startExternalLoginWorld()
 */
export async function startExternalLoginWorld(now: () => number = Date.now): Promise<ExternalLoginWorld> {
  const mail = await startMail()
  const identity = await startIdentity()
  const anvil = await startAnvil({ chainId: 31_337, port: 0 })
  const farcaster = await startFarcaster({ rpcUrl: anvil.rpcUrl })
  const configured = { farcaster: { rpcUrl: farcaster.rpcUrl } }
  const services = await startLoginServices({
    mailUrl: mail.url,
    clock: { now },
    socials: identity.socials,
    parts: { auth: configured, shares: configured },
    unlimitedRequests: true,
  })
  const { authUrl, sharesUrl } = services
  return {
    mail,
    farcaster,
    services,
    openBrowser: () =>
      openTestHolder({
        authUrl,
        sharesUrl,
        now,
        farcaster: { relayUrl: farcaster.relayUrl, frameUrl: testFrameUrl },
      }),
    async close() {
      for (const part of [services, farcaster, anvil, identity, mail]) await part.close()
    },
  }
}
