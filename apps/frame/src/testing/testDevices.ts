import type { LocalMail } from '@latchkey/devnet'
import { createAccountService, type AccountService } from '../services/accountService.ts'
import { createServiceRequest, type ServiceRequest } from '../services/serviceRequest.ts'
import { createDeviceKey, type DeviceKey } from '../services/deviceKey.ts'
import { createAuthShares, createShareStore, type WalletAccount } from '../services/shareStore.ts'
import { createMemoryDeviceStore } from '../wallet/deviceStore.ts'
import type { KeyShareStores } from '../wallet/enrol.ts'

/** The access tokens of a login, one for each service. */
export type AccessTokens = { readonly accessToken: string; readonly sharesToken: string }

/** A logged-in browser. */
export type TestDevice = KeyShareStores & {
  readonly key: DeviceKey
  readonly account: AccountService
  readonly requests: { readonly auth: ServiceRequest; readonly shares: ServiceRequest }
  readonly user: string
  /** Accounts that the auth service reports. `undefined` without a wallet. */
  readonly accounts: readonly WalletAccount[] | undefined
  readonly accessToken: string
  readonly sharesToken: string
  readonly refreshToken: string
  /** Uses the tokens of a fresh login from now on. */
  use(tokens: AccessTokens): void
}

/** Actions of browsers at the real services with real mail. */
export type TestDevices = {
  /** Logs in with the mailed code, on a new or a known device. */
  login(email: string, before?: Pick<TestDevice, 'key' | 'device'>): Promise<TestDevice>
  /** Opens the share store's link and enters the confirmation digits. */
  approve(device: Pick<TestDevice, 'key'>, email: string): Promise<void>
  /** Logs in and approves the device. */
  fresh(email: string): Promise<TestDevice>
  /** Returns the code of the mail that `act` causes. */
  codeFor(email: string, act: () => Promise<unknown>): Promise<string>
}

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'

export type TestDevicesOptions = {
  services: { readonly authUrl: string; readonly sharesUrl: string }
  mail: LocalMail
  now(): number
  /** Runs before each mail, because addresses are rate limited. */
  beforeMail(): Promise<void>
}

/** Creates the actions of browsers. */
export function createTestDevices(options: TestDevicesOptions): TestDevices {
  return {
    login: (email, before) => logInDevice(options, email, before),
    approve: (device, email) => approveDevice(options, device, email),
    async fresh(email) {
      const device = await logInDevice(options, email)
      await approveDevice(options, device, email)
      return device
    },
    codeFor: (email, act) => readMailedCode(options, email, act),
  }
}

async function logInDevice(
  options: TestDevicesOptions,
  email: string,
  before?: Pick<TestDevice, 'key' | 'device'>,
): Promise<TestDevice> {
  const { services, now } = options
  const key = before?.key ?? (await createDeviceKey())
  const request = createServiceRequest({ url: services.authUrl, key, now, accessToken: () => undefined })
  let id: unknown
  const code = await readMailedCode(options, email, async () => {
    ;({ id } = await request('POST', '/auth/v1/codes', { email, projectId, origin }))
  })
  const result = await request('POST', '/auth/v1/codes/redeem', { id, email, code })
  const { tokens, user } = result as {
    tokens: AccessTokens & { refreshToken: string }
    user: { id: string; accounts?: readonly WalletAccount[] }
  }
  let current: AccessTokens = tokens
  const requests = {
    auth: createServiceRequest({ url: services.authUrl, key, now, accessToken: () => current.accessToken }),
    shares: createServiceRequest({ url: services.sharesUrl, key, now, accessToken: () => current.sharesToken }),
  }
  return {
    key,
    requests,
    user: user.id,
    accounts: user.accounts,
    ...tokens,
    account: createAccountService(requests.auth),
    auth: createAuthShares(requests.auth, { origin }),
    shares: createShareStore(requests.shares, services.sharesUrl),
    device: before?.device ?? createMemoryDeviceStore(),
    use(next) {
      current = next
    },
  }
}

async function approveDevice(
  options: TestDevicesOptions,
  { key }: Pick<TestDevice, 'key'>,
  email: string,
): Promise<void> {
  const { services, now } = options
  const request = createServiceRequest({ url: services.sharesUrl, key, now, accessToken: () => undefined })
  let match: unknown
  const text = await readMailedText(options, email, async () => {
    ;({ match } = await request('POST', '/shares/v1/links', { email, projectId, origin }))
  })
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? '')
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
}

/** Returns the text of the mail that `act` causes. */
async function readMailedText(
  { mail, beforeMail }: TestDevicesOptions,
  email: string,
  act: () => Promise<unknown>,
): Promise<string> {
  await beforeMail()
  const before = mail.received()[0]?.id ?? 0
  await act()
  return (await mail.waitFor(email, before)).text
}

async function readMailedCode(
  options: TestDevicesOptions,
  email: string,
  act: () => Promise<unknown>,
): Promise<string> {
  return /\b\d{6}\b/.exec(await readMailedText(options, email, act))?.[0] ?? ''
}
