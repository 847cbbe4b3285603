import { isLatchkeyError } from '@latchkey/protocol'
import { custodyError } from '../../custody/custodyError.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { StoredEnrolment } from '../../services/shareStore.ts'
import { findLostWallet } from '../../wallet/adoptWallet.ts'
import {
  createWallet,
  unlock,
  type KeyShareStores,
  type OpenWallet,
  type RecoveryMethodKey,
} from '../../wallet/enrol.ts'
import { recover } from '../../wallet/recover.ts'
import type { GetMethodKey, OnUnreadable } from '../../wallet/unwrapWithAny.ts'
import type { RecoveryMethodInfo } from '../keyHolder.ts'

/** The open wallet, or the recovery methods of which the user has to use one. */
export type WalletEntry = { readonly wallet: OpenWallet } | { readonly recoveryMethods: readonly RecoveryMethodInfo[] }

export type EnterWalletDependencies = {
  readonly stores: KeyShareStores
  /** Returns the keys of methods that need no user interaction. */
  readonly getMethodKey: GetMethodKey
  readonly onUnreadable?: OnUnreadable
  /** True if the auth service has no wallet. Only then is a wallet created, whatever the share store says. */
  readonly isNew: boolean
  now(): number
}

/**
 * Opens the wallet with the device share; on a new device with the shares of the services, if an automatic method
 * exists; and creates it for a new user.
 *
 * @throws ServiceRefusal 403 `device` if the share store requires an approval of the device
 * @throws LatchkeyError `custody/wallet-elsewhere` if the contact has a wallet under another user id, and this device can't move it
 */
export async function enterWallet(dependencies: EnterWalletDependencies): Promise<WalletEntry> {
  const { stores, isNew } = dependencies
  const wallet = await unlockHere(stores)
  if (wallet !== undefined) return { wallet }
  // Needed to create a wallet. The share store deletes the key if no wallet uses it.
  const automaticKey = isNew ? stores.shares.autoKey() : undefined
  // Its failure matters only if the share store has no wallet.
  automaticKey?.catch(() => undefined)
  try {
    const opened = await recoverAutomatically(dependencies, await stores.shares.find())
    if (opened !== undefined) return opened
    // A second wallet never replaces an existing one.
    if (automaticKey === undefined) {
      throw new ServiceRefusal(404, 'wallet', 'Your wallet is no longer stored here. Use the device that has it.')
    }
    return await createNewWallet(dependencies, automaticKey)
  } finally {
    automaticKey?.then((key) => key.fill(0)).catch(() => undefined)
  }
}

/** @param stored the enrolment to recover, if the share store has any */
async function recoverAutomatically(
  { stores, getMethodKey, onUnreadable }: EnterWalletDependencies,
  stored: StoredEnrolment | undefined,
): Promise<WalletEntry | undefined> {
  if (stored === undefined) return undefined
  const others = stored.wraps.filter(({ method }) => method !== 'auto').map(({ id, method }) => ({ id, method }))
  if (others.length === stored.wraps.length) return { recoveryMethods: others }
  try {
    return { wallet: await recover(stores, getMethodKey, onUnreadable, stored) }
  } catch (error) {
    // The creation was interrupted before it was committed, and no address was shown.
    if (isLatchkeyError(error, 'custody/invalid-share')) return undefined
    // A damaged automatic method doesn't hide the user's own methods.
    if (isLatchkeyError(error, 'custody/unreadable') && others.length > 0) return { recoveryMethods: others }
    throw error
  }
}

/** @param automaticKey the key of the automatic recovery method, which may still be on its way */
async function createNewWallet(
  dependencies: EnterWalletDependencies,
  automaticKey: Promise<Uint8Array>,
): Promise<WalletEntry> {
  const { stores, now } = dependencies
  const methods = automaticKey.then((key): RecoveryMethodKey[] => [{ id: 'auto', method: 'auto', key, facts: '{}' }])
  try {
    return { wallet: await createWallet(stores, methods, now()) }
  } catch (error) {
    // Status 409: another window created the wallet in the meantime, or the auth service lost the user.
    if (!(error instanceof ServiceRefusal && error.status === 409)) throw error
    const stored = error.field === 'contact' ? await findLostOrFail(stores) : await stores.shares.find()
    const opened = await recoverAutomatically(dependencies, stored)
    if (opened === undefined) throw error
    return opened
  }
}

/**
 * Finds the wallet under the user id that the auth service lost. Recovering it moves it to the new user id.
 *
 * @throws LatchkeyError `custody/wallet-elsewhere` if this device can't move it
 */
async function findLostOrFail(stores: KeyShareStores): Promise<StoredEnrolment> {
  const lost = await findLostWallet(stores)
  if (lost === undefined) throw custodyError('custody/wallet-elsewhere', {})
  // The recovery gets its own copy.
  lost.autoKey?.fill(0)
  return lost
}

/** A device share that does not open the wallet counts as absent. The services decide then. */
async function unlockHere(stores: KeyShareStores): Promise<OpenWallet | undefined> {
  try {
    return await unlock(stores)
  } catch (error) {
    if (isLatchkeyError(error) && error.code.startsWith('custody/')) return undefined
    throw error
  }
}
