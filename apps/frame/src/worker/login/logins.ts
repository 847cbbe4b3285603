import { isRecord } from '@latchkey/protocol'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { KeyShareStores, OpenWallet } from '../../wallet/enrol.ts'
import { recover } from '../../wallet/recover.ts'
import { isUnreadable, type GetMethodKey, type OnUnreadable } from '../../wallet/unwrapWithAny.ts'
import type { HolderUser, KeyHolder, LoginResult, RecoveryCredential } from '../keyHolder.ts'
import type { KeyHolderContext } from '../keyHolderContext.ts'
import type { Device } from '../storage/device.ts'
import { requestDeviceApproval, type DeviceApproval, type DeviceProof } from './deviceApproval.ts'
import type { DevicePasskey } from './devicePasskey.ts'
import { enterWallet } from './enterWallet.ts'
import { createExternalLogin, type ExternalLoginResult } from './externalLogin.ts'
import type { KnownLogins } from './knownLogins.ts'
import { createMailLogin, type LoginResponse } from './mailLogin.ts'
import { parseTokens, type Session } from './session.ts'

type Logins = Pick<
  KeyHolder,
  | 'sendCode'
  | 'awaitDevice'
  | 'redeem'
  | 'recoverWith'
  | 'beginSocial'
  | 'acceptLogin'
  | 'awaitProvider'
  | 'awaitSocial'
  | 'beginFarcaster'
  | 'awaitFarcaster'
  | 'awaitApproval'
  | 'approveDevice'
  | 'createDevicePasskeyRequest'
  | 'approveDeviceByPasskey'
> & {
  /** Forgets a login that has not opened the wallet yet. */
  forget(): void
}

export type LoginsDependencies = Pick<
  KeyHolderContext,
  'authUrl' | 'sharesUrl' | 'projectId' | 'farcaster' | 'now' | 'later'
> & {
  readonly session: Session
  readonly known: KnownLogins
  readonly device: Device
  /** @param origin origin of the page that the login is for */
  storesOf(user: string, origin?: string): KeyShareStores
  opened(wallet: OpenWallet): void
  /** Requests what a login ends with, while the wallet is opened. */
  prefetch(): void
  /** Loads and warms up what opens a wallet, while the user reads a mail. */
  warmUp(): void
  getMethodKey(credentials: readonly RecoveryCredential[]): GetMethodKey
  readonly onUnreadable: OnUnreadable
}

/** Creates the login methods. Each ends with an open wallet, or with the step that the user has to take next. */
export function createLogins(dependencies: LoginsDependencies): Logins {
  const { authUrl, sharesUrl, projectId, farcaster, now, later, session, known, device, warmUp } = dependencies
  const pause: Pause = (milliseconds) => new Promise<void>((resolve) => void later(resolve, milliseconds))
  const auth = session.requestWithoutLogin(authUrl)
  const shares = session.requestWithoutLogin(sharesUrl)
  const mail = createMailLogin({ auth, shares, projectId, isKnown: known.has, pause })
  const { thumbprint } = device.key
  const external = createExternalLogin({ auth, shares, projectId, thumbprint, farcaster, now, pause })
  const entry = createLoginEntry(dependencies, pause)
  const results = new WeakMap<ExternalLoginResult, Promise<LoginResult>>()

  /** Uses the tokens of a result once, even if the page asks repeatedly. */
  function enterOnce(result: ExternalLoginResult): Promise<LoginResult> {
    const entering = results.get(result) ?? entry.enter(result.response, result.approval)
    results.set(result, entering)
    return entering
  }

  return {
    forget: entry.forget,
    recoverWith: entry.recoverWith,
    awaitApproval: entry.awaitApproval,
    approveDevice: entry.approveDevice,
    createDevicePasskeyRequest: async () => entry.passkey().createRequest(),
    approveDeviceByPasskey: async (passkey) => entry.passkey().prove(passkey),
    async sendCode({ fresh = false, ...request }) {
      const user = await session.user()
      if (!fresh && user !== undefined && isSameEmail(user.email, request.email)) return { action: 'CONNECT' }
      entry.begin(request.origin)
      const sent = await mail.send(request)
      if (sent.action === 'VERIFY_OTP') later(warmUp, warmUpMs)
      return sent
    },
    async awaitDevice() {
      later(warmUp, warmUpMs)
      await mail.awaitDevice()
    },
    redeem: async (code) => entry.enter(await mail.redeem(code)),
    beginSocial(request) {
      entry.begin(request.origin)
      return external.beginSocial({ ...request, always: entry.isDistrusted() })
    },
    acceptLogin: async (handover) => external.accept(handover),
    awaitProvider: async () => void (await external.finish('social')),
    awaitSocial: async () => enterOnce(await external.finish('social')),
    beginFarcaster(request) {
      entry.begin(request.origin)
      return external.beginFarcaster(request)
    },
    async awaitFarcaster() {
      const result = await external.finish('farcaster')
      const { userName } = parseLoginUser(result.response.user).identity
      return { ...(await enterOnce(result)), ...(userName !== undefined && { userName }) }
    },
  }
}

/** The warm-up would delay the picture of the next step. A user needs longer to open a mail. */
const warmUpMs = 1_000

/** The second half of every login: the services know the user, and the wallet has to be opened. */
type LoginEntry = Pick<KeyHolder, 'recoverWith' | 'awaitApproval' | 'approveDevice'> & {
  /** @throws ServiceRefusal 409 `login` if no device waits for a passkey */
  passkey(): DevicePasskey
  /** Notes the origin of the page that the next login is for. */
  begin(origin: string): void
  enter(response: LoginResponse, proof?: DeviceProof): Promise<LoginResult>
  forget(): void
  /** True if the share store refused this device, although the auth service knows it. */
  isDistrusted(): boolean
}

/** A user whose wallet this device does not open yet. */
type PendingLogin = { readonly stores: KeyShareStores; readonly user: LoginUser; readonly approval?: DeviceApproval }

type Pause = (milliseconds: number) => Promise<void>

function createLoginEntry(dependencies: LoginsDependencies, pause: Pause): LoginEntry {
  const { now, session, known, storesOf, getMethodKey, onUnreadable, prefetch } = dependencies
  let pending: PendingLogin | undefined
  let origin: string | undefined
  let isDistrusted = false
  /** A code that arrived before the approval began. */
  let early: string | undefined

  async function openPending({ user, stores }: PendingLogin): Promise<LoginResult> {
    const recovery = { getMethodKey: getMethodKey([]), onUnreadable }
    const entry = await enterWallet({ ...recovery, stores, isNew: !user.hasWallet, now })
    return 'wallet' in entry ? { user: await complete(user, entry.wallet) } : entry
  }
  function complete(user: LoginUser, wallet: OpenWallet): Promise<HolderUser> {
    pending = undefined
    isDistrusted = false
    return saveUser(dependencies, user, wallet)
  }

  return {
    begin: (next) => void ([origin, early] = [next, undefined]),
    forget: () => void (pending = undefined),
    isDistrusted: () => isDistrusted,
    async enter(response, proof) {
      const user = parseLoginUser(response.user)
      session.begin(parseTokens(response.tokens))
      prefetch()
      pending = { user, stores: storesOf(user.identity.id, origin) }
      try {
        return await openPending(pending)
      } catch (error) {
        if (!isApprovalNeeded(error)) throw error
        // The next login by mail starts with the approval of the device.
        await known.forget(user.identity.email)
        if (proof === undefined) throw error
        isDistrusted = true
        const approval = await requestApproval(dependencies, proof, pause)
        if (approval === undefined) return openPending(pending)
        pending = { ...pending, approval }
        return nextStep(approval, early)
      }
    },
    async recoverWith(credential) {
      if (pending === undefined) throw new ServiceRefusal(409, 'login', 'Log in first.')
      return complete(pending.user, await recover(pending.stores, getMethodKey([credential]), onUnreadable))
    },
    async approveDevice(code) {
      if (pending?.approval === undefined) early = code
      else await pending.approval.redeem(code)
    },
    async awaitApproval() {
      const waiting = pending
      if (waiting?.approval === undefined) throw new ServiceRefusal(409, 'login', 'Log in first.')
      await waiting.approval.approved()
      const wallet = await recoverByPasskey(dependencies, waiting)
      return wallet === undefined ? openPending(waiting) : { user: await complete(waiting.user, wallet) }
    },
    passkey: () => getPasskey(pending),
  }
}

/** @throws ServiceRefusal 409 `login` if no device waits for a passkey */
function getPasskey(pending: PendingLogin | undefined): DevicePasskey {
  const passkey = pending?.approval?.passkey
  if (passkey === undefined) throw new ServiceRefusal(409, 'login', 'Log in first.')
  return passkey
}

function requestApproval(
  { session, sharesUrl, device }: LoginsDependencies,
  proof: DeviceProof,
  pause: Pause,
): Promise<DeviceApproval | undefined> {
  const { thumbprint } = device.key
  return requestDeviceApproval({ shares: session.request(sharesUrl), thumbprint, pause }, proof)
}

/** @param early code that arrived before the approval began */
async function nextStep(approval: DeviceApproval, early: string | undefined): Promise<LoginResult> {
  if (approval.wait !== undefined) return { needsDevice: approval.wait }
  if (early !== undefined) await approval.redeem(early).catch(() => undefined)
  return { needsCode: true }
}

/**
 * Opens the wallet with the passkey that approved this device.
 *
 * @returns `undefined` without one, or if it does not open the wallet. The user then chooses another method.
 */
async function recoverByPasskey(
  { getMethodKey, onUnreadable }: LoginsDependencies,
  { stores, approval }: PendingLogin,
): Promise<OpenWallet | undefined> {
  const credential = approval?.passkey?.credential()
  if (credential === undefined) return undefined
  try {
    return await recover(stores, getMethodKey([credential]), onUnreadable)
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

async function saveUser(
  { session, known, opened }: LoginsDependencies,
  { identity }: LoginUser,
  wallet: OpenWallet,
): Promise<HolderUser> {
  const user: HolderUser = { ...identity, accounts: wallet.accounts }
  opened(wallet)
  await Promise.all([session.save(user), known.add(user.email)])
  return user
}

type LoginUser = { readonly identity: Omit<HolderUser, 'accounts'>; readonly hasWallet: boolean }

function parseLoginUser(response: unknown): LoginUser {
  if (!isRecord(response) || typeof response.id !== 'string') throw new Error('The response has no user.')
  const { id, email, userName, social, accounts, deletionAt } = response
  return {
    identity: {
      id,
      ...(typeof email === 'string' && { email }),
      ...(typeof userName === 'string' && { userName }),
      ...(typeof social === 'string' && { social }),
      ...(typeof deletionAt === 'number' && { deletionAt }),
    },
    // The addresses are derived from the keys, not read from the service.
    hasWallet: Array.isArray(accounts) && accounts.length > 0,
  }
}

function isApprovalNeeded(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.status === 403 && error.field === 'device'
}

function isSameEmail(one: string | undefined, other: string): boolean {
  return one?.trim().toLowerCase() === other.trim().toLowerCase()
}
