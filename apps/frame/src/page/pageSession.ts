import { RpcError } from '../chain/rpcError.ts'
import type { DeviceWait, LoginResult, HolderUser, KeyHolder, RecoveryMethodInfo } from '../worker/keyHolder.ts'
import type { Consents } from './consents.ts'

/** The logged-in user, as far as this page may know. */
export type PageSession = {
  /** Returns `undefined` without a login or without a consent to this page. */
  find(): Promise<HolderUser | undefined>
  /** @throws RpcError 4100 if `find` returns `undefined` */
  get(): Promise<HolderUser>
  /** Completes a login on this page and records the consent. */
  enter(entered: LoginResult, signal: AbortSignal): Promise<void>
  /** Asks the user to show an existing login to this page. @throws RpcError 4001 */
  consent(signal: AbortSignal): Promise<void>
  leave(): Promise<void>
}

export type PageSessionDependencies = {
  readonly holder: KeyHolder
  readonly consents: Consents
  /** Pinned origin of the page. */
  origin(): string
  /** Shows the consent screen. */
  confirmConnection(who: { origin: string; account: string | undefined }, signal: AbortSignal): Promise<boolean>
  /** Approves a new device by the code of the provider's window. */
  showDeviceApproval(signal: AbortSignal): Promise<LoginResult | undefined>
  /** Waits until a known device has approved this one. */
  showKnownDeviceApproval(wait: DeviceWait, signal: AbortSignal): Promise<LoginResult | undefined>
  /** Shows the new devices that wait for this one, once on this page. */
  reviewDevices(signal: AbortSignal): Promise<void>
  /** Opens the wallet of a new device with a password or passkey. */
  showRecovery(methods: readonly RecoveryMethodInfo[], signal: AbortSignal): Promise<HolderUser | undefined>
}

export function createPageSession(dependencies: PageSessionDependencies): PageSession {
  const { holder, consents, origin, confirmConnection, reviewDevices } = dependencies
  let user: HolderUser | undefined
  let restoring: Promise<HolderUser | undefined> | undefined

  async function restored(): Promise<HolderUser | undefined> {
    if (user !== undefined) return user
    restoring ??= holder.restore().finally(() => (restoring = undefined))
    user = await restoring
    return user
  }
  async function find(): Promise<HolderUser | undefined> {
    const found = await restored()
    return found !== undefined && (await consents.has(found.id, origin())) ? found : undefined
  }

  return {
    find,
    async get() {
      const found = await find()
      if (found === undefined) throw new RpcError(4100, 'No user is logged in on this page. Log in first.')
      return found
    },
    async enter(entered, signal) {
      user = await completeSteps(dependencies, entered, signal)
      if (user === undefined || signal.aborted) throw new RpcError(4001, 'User rejected the request')
      await Promise.all([consents.add(user.id, origin()), reviewDevices(signal)])
    },
    async consent(signal) {
      const found = await restored()
      if (found === undefined) throw new RpcError(4100, 'No user is logged in on this page. Log in first.')
      if (await consents.has(found.id, origin())) return
      const account = found.email ?? found.userName
      if (!(await confirmConnection({ origin: origin(), account }, signal))) {
        throw new RpcError(4001, 'User rejected the request')
      }
      await consents.add(found.id, origin())
      await reviewDevices(signal)
    },
    async leave() {
      const found = await restored()
      user = undefined
      await holder.signOut()
      if (found !== undefined) await consents.clear(found.id)
    },
  }
}

/** Shows the remaining steps of a new device. */
async function completeSteps(
  screens: PageSessionDependencies,
  entered: LoginResult | undefined,
  signal: AbortSignal,
): Promise<HolderUser | undefined> {
  if (entered === undefined || 'user' in entered) return entered?.user
  if ('recoveryMethods' in entered) return screens.showRecovery(entered.recoveryMethods, signal)
  const isWaiting = 'needsDevice' in entered
  const next = isWaiting
    ? screens.showKnownDeviceApproval(entered.needsDevice, signal)
    : screens.showDeviceApproval(signal)
  return completeSteps(screens, await next, signal)
}
