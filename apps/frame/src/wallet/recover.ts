import { isLatchkeyError } from '@latchkey/protocol'
import { custodyError } from '../custody/custodyError.ts'
import { takeKeyShare, wipeKeyShares, type KeyShare } from '../custody/keyShare.ts'
import { openRecoveryKeyShare } from '../custody/recoveryMethod.ts'
import { joinKeyShares } from '../custody/splitKey.ts'
import type { StoredEnrolment } from '../services/shareStore.ts'
import { adoptWallet, findLostWallet } from './adoptWallet.ts'
import { enrol, openWithShares, type KeyShareStores, type OpenWallet } from './enrol.ts'
import { rebuildAuthShare } from './rebuildAuthShare.ts'
import { unwrapWithAny, type GetMethodKey, type OnUnreadable } from './unwrapWithAny.ts'

/** Maximum number of enrolments at the share store. */
const maxEnrolments = 25

/**
 * Opens the wallet with the shares of both services and enrols this device. If the auth service has lost its shares, the
 * share of this device replaces them. If it has lost the user, the wallet first moves to the new user id.
 *
 * @param getMethodKey returns the key of a recovery method, or `undefined` if the method can't be used here
 * @param latest the latest enrolment, if the share store has just returned it
 * @throws LatchkeyError `custody/unreadable` with a wrong password or passkey; `custody/invalid-share` if the services
 *   have no wallet
 */
export async function recover(
  stores: KeyShareStores,
  getMethodKey: GetMethodKey,
  onUnreadable?: OnUnreadable,
  latest?: StoredEnrolment,
): Promise<OpenWallet> {
  try {
    return await recoverWithServices(stores, getMethodKey, onUnreadable, latest)
  } catch (error) {
    if (!isLatchkeyError(error, 'custody/invalid-share')) throw error
    const lost = await findLostWallet(stores)
    if (lost !== undefined) await adoptWallet(stores, lost, getMethodKey, onUnreadable)
    return rebuildAuthShare(stores, getMethodKey, onUnreadable)
  }
}

async function recoverWithServices(
  stores: KeyShareStores,
  getMethodKey: GetMethodKey,
  onUnreadable?: OnUnreadable,
  latest?: StoredEnrolment,
): Promise<OpenWallet> {
  const { wallet, walletKey, recoveryKey, stored } = await openWithServices(stores, getMethodKey, onUnreadable, latest)
  try {
    const place = { walletId: stored.walletId, epoch: stored.epoch }
    await enrol(stores, { place, walletKey, recoveryKey, vault: stored.vault, accounts: wallet.accounts })
    return wallet
  } catch (error) {
    wallet.entropy.fill(0)
    throw error
  } finally {
    walletKey.fill(0)
    recoveryKey.fill(0)
  }
}

/** A wallet that was opened without a device share. The caller must wipe the entropy and both keys. */
export type RecoveredWallet = {
  readonly wallet: OpenWallet
  readonly walletKey: Uint8Array
  readonly recoveryKey: Uint8Array
  readonly stored: StoredEnrolment
}

/** Opens the wallet with the shares of both services, and changes nothing. @throws like `recover` */
export async function openWithServices(
  stores: Pick<KeyShareStores, 'auth' | 'shares'>,
  getMethodKey: GetMethodKey,
  onUnreadable?: OnUnreadable,
  latest?: StoredEnrolment,
): Promise<RecoveredWallet> {
  const { stored, auth } = await findPair(stores, latest)
  let recoveryKey: Uint8Array | undefined
  let share: KeyShare | undefined
  let walletKey: Uint8Array | undefined
  try {
    recoveryKey = await unwrapWithAny(stored, getMethodKey, onUnreadable)
    share = await openRecoveryKeyShare(recoveryKey, stored, stored.share)
    walletKey = await joinKeyShares(share, auth)
    return { wallet: await openWithShares(share, auth, stored.vault), walletKey, recoveryKey, stored }
  } catch (error) {
    recoveryKey?.fill(0)
    walletKey?.fill(0)
    throw error
  } finally {
    wipeKeyShares(auth, share)
  }
}

/**
 * Finds an enrolment that both services have. An interrupted enrolment may exist at one of them only.
 *
 * @throws LatchkeyError `custody/invalid-share` if there is none
 */
export async function findPair(
  { auth, shares }: Pick<KeyShareStores, 'auth' | 'shares'>,
  latest?: StoredEnrolment,
): Promise<{ stored: StoredEnrolment; auth: KeyShare }> {
  const without: Uint8Array[] = []
  while (without.length < maxEnrolments) {
    const stored = (without.length === 0 ? latest : undefined) ?? (await shares.find(without))
    if (stored === undefined) break
    const remote = await auth.any(stored)
    if (remote !== undefined) return { stored, auth: takeKeyShare(remote.share) }
    without.push(stored.setId)
  }
  throw custodyError('custody/invalid-share', { reason: 'the services have no wallet for this login' })
}
