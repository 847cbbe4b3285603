import type { LocalMail } from '@latchkey/devnet'
import { createAccount, type Account } from '../services/account.ts'
import { createAsk, type Ask } from '../services/ask.ts'
import { createDeviceKey, type DeviceKey } from '../services/deviceKey.ts'
import { createAuthKeeper, createShareKeeper, type WalletAccount } from '../services/services.ts'
import { memoryDeviceStore, type DeviceStore } from '../wallet/deviceStore.ts'
import type { Keepers } from '../wallet/enrol.ts'

/** A browser of the tests, logged in. */
export type TestDevice = Keepers & {
  readonly key: DeviceKey
  readonly account: Account
  readonly ask: { readonly auth: Ask; readonly shares: Ask }
  readonly user: string
  /** Of the wallet that the auth service tells of; undefined before there is one. */
  readonly accounts: readonly WalletAccount[] | undefined
  readonly accessToken: string
  readonly refreshToken: string
  /** Takes the tokens of a fresh login for what follows. */
  use(accessToken: string): void
}

/** Whatever browsers do at the real services, with real mail. */
export type TestDevices = {
  /** Logs in by the code that is mailed: on a new device, or on one that was here before. */
  login(email: string, before?: Pick<TestDevice, 'key' | 'device'>): Promise<TestDevice>
  /** Follows the link that the share store mails, and enters the digits. */
  approve(device: Pick<TestDevice, 'key'>, email: string): Promise<void>
  /** Both. */
  fresh(email: string): Promise<TestDevice>
  /** The newest code for an address, of a mail that comes while something is done. */
  codeFor(email: string, act: () => Promise<unknown>): Promise<string>
}

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'

/**
 * @param parts.beforeMail comes before each mail that is asked for: nobody gets two at once
 */
export function createTestDevices(parts: {
  services: { readonly authUrl: string; readonly sharesUrl: string }
  mail: LocalMail
  now(): number
  beforeMail(): Promise<void>
}): TestDevices {
  const { services, mail, now, beforeMail } = parts
  const asker = (url: string, key: DeviceKey, token: () => string | undefined): Ask =>
    createAsk({ url, key, now, accessToken: token })
  const plain = (url: string, key: DeviceKey): Ask => asker(url, key, () => undefined)

  async function textFor(email: string, act: () => Promise<unknown>): Promise<string> {
    await beforeMail()
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
      user: { id: string; accounts?: readonly WalletAccount[] }
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
      accounts: user.accounts,
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
    login,
    approve,
    async fresh(email) {
      const device = await login(email)
      await approve(device, email)
      return device
    },
    codeFor,
  }
}
