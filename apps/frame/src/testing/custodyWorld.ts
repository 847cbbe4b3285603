import { startMail, type LocalMail } from '@latchkey/devnet'
import { startLoginServices, type LoginServices, type LoginServicesOptions } from '@latchkey/server/testing'
import { createAccount, type Account } from '../services/account.ts'
import { createAsk, type Ask } from '../services/ask.ts'
import { createDeviceKey, type DeviceKey } from '../services/deviceKey.ts'
import { createAuthKeeper, createShareKeeper } from '../services/services.ts'
import { memoryDeviceStore, type DeviceStore } from '../wallet/deviceStore.ts'
import type { Keepers } from '../wallet/enrol.ts'

/** A browser of the tests, logged in. */
export type TestDevice = Keepers & {
  readonly key: DeviceKey
  readonly account: Account
  readonly ask: { readonly auth: Ask; readonly shares: Ask }
  readonly user: string
  readonly accessToken: string
  readonly refreshToken: string
  /** Takes the tokens of a fresh login for what follows. */
  use(accessToken: string): void
}

/** The real services, real mail, and a clock that is turned by hand. */
export type CustodyWorld = {
  readonly services: LoginServices
  readonly mail: LocalMail
  now(): number
  pass(milliseconds: number): void
  /** Logs in by the code that is mailed: on a new device, or on one that was here before. */
  login(email: string, before?: Pick<TestDevice, 'key' | 'device'>): Promise<TestDevice>
  /** Follows the link that the share store mails, and enters the digits. */
  approve(device: Pick<TestDevice, 'key'>, email: string): Promise<void>
  /** Both. */
  fresh(email: string): Promise<TestDevice>
  /** The newest code for an address, of a mail that comes while something is done. */
  codeFor(email: string, act: () => Promise<unknown>): Promise<string>
  close(): Promise<void>
}

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
/** One machine gets twenty mails an hour. */
const betweenMails = 181_000

export async function startCustodyWorld(
  options: Omit<LoginServicesOptions, 'mailUrl' | 'clock'>,
): Promise<CustodyWorld> {
  const mail = await startMail()
  let later = 0
  const now = (): number => Date.now() + later
  const services = await startLoginServices({ ...options, mailUrl: mail.url, clock: { now } })
  const asker = (url: string, key: DeviceKey, token: () => string | undefined): Ask =>
    createAsk({ url, key, now, accessToken: token })
  const plain = (url: string, key: DeviceKey): Ask => asker(url, key, () => undefined)

  async function textFor(email: string, act: () => Promise<unknown>): Promise<string> {
    later += betweenMails
    const before = mail.received()[0]?.id ?? 0
    await act()
    return (await mail.waitFor(email, before)).text
  }
  async function codeFor(email: string, act: () => Promise<unknown>): Promise<string> {
    return /\b\d{6}\b/.exec(await textFor(email, act))?.[0] ?? ''
  }

  async function login(email: string, before?: { key: DeviceKey; device: DeviceStore }): Promise<TestDevice> {
    const key = before?.key ?? (await createDeviceKey())
    const ask = plain(services.authUrl, key)
    let id: unknown
    const code = await codeFor(email, async () => {
      ;({ id } = await ask('POST', '/auth/v1/codes', { email, projectId, origin }))
    })
    const answer = await ask('POST', '/auth/v1/codes/redeem', { id, email, code })
    const { tokens, user } = answer as {
      tokens: { accessToken: string; refreshToken: string }
      user: { id: string }
    }
    let token = tokens.accessToken
    const asks = {
      auth: asker(services.authUrl, key, () => token),
      shares: asker(services.sharesUrl, key, () => token),
    }
    return {
      key,
      ask: asks,
      user: user.id,
      ...tokens,
      account: createAccount(asks.auth),
      auth: createAuthKeeper(asks.auth, { origin }),
      shares: createShareKeeper(asks.shares),
      device: before?.device ?? memoryDeviceStore(),
      use(accessToken) {
        token = accessToken
      },
    }
  }

  async function approve({ key }: Pick<TestDevice, 'key'>, email: string): Promise<void> {
    let match: unknown
    const text = await textFor(email, async () => {
      ;({ match } = await plain(services.sharesUrl, key)('POST', '/shares/v1/links', { email, projectId, origin }))
    })
    const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? '')
    const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
    await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  }

  return {
    services,
    mail,
    now,
    pass(milliseconds) {
      later += milliseconds
    },
    login,
    approve,
    async fresh(email) {
      const device = await login(email)
      await approve(device, email)
      return device
    },
    codeFor,
    async close() {
      await services.close()
      await mail.close()
    },
  }
}
