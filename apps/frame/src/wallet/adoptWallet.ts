import { custodyError } from '../custody/custodyError.ts'
import { isSameBytes } from '../custody/isSameBytes.ts'
import { takeKeyShare, wipeKeyShares, type KeyShare } from '../custody/keyShare.ts'
import { openRecoveryKeyShare } from '../custody/recoveryMethod.ts'
import { signStoreProof } from '../custody/signStoreProof.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import type { LostEnrolment } from '../services/shareStore.ts'
import { openWithShares, type KeyShareStores, type OpenWallet } from './enrol.ts'
import { unwrapWithAny, type GetMethodKey, type OnUnreadable } from './unwrapWithAny.ts'

/**
 * Returns the enrolment of this device under the user id that the auth service lost.
 *
 * @returns `undefined` if the share store refuses it, or the user has a wallet
 */
export async function findLostWallet({ shares }: Pick<KeyShareStores, 'shares'>): Promise<LostEnrolment | undefined> {
  try {
    return await shares.findLost()
  } catch (error) {
    if (error instanceof ServiceRefusal && [403, 409].includes(error.status)) return undefined
    throw error
  }
}

/**
 * Moves a wallet to the logged-in user after the auth service lost the previous user id. The share of this device and that of the
 * share store open the wallet first, because the share store requires a proof of that.
 *
 * @throws LatchkeyError `custody/wallet-elsewhere` if this device has no key share of it; `custody/unreadable` with a wrong method
 */
export async function adoptWallet(
  { shares, device }: Pick<KeyShareStores, 'shares' | 'device'>,
  lost: LostEnrolment,
  getMethodKey: GetMethodKey,
  onUnreadable?: OnUnreadable,
): Promise<void> {
  const local = await device.readOf(lost.previous)
  if (local === undefined || !isSameBytes(local.setId, lost.setId)) throw custodyError('custody/wallet-elsewhere', {})
  // The logged-in user has another automatic key.
  const getLostKey: GetMethodKey = async (wrap) => (wrap.method === 'auto' ? lost.autoKey?.slice() : getMethodKey(wrap))
  const recoveryKey = await unwrapWithAny(lost, getLostKey, onUnreadable)
  const own = takeKeyShare(local.share)
  let share: KeyShare | undefined
  let wallet: OpenWallet | undefined
  try {
    share = await openRecoveryKeyShare(recoveryKey, lost, lost.share)
    const { entropy } = (wallet = await openWithShares(own, share, lost.vault))
    await shares.adopt(lost.previous, async (text) => signStoreProof(entropy, text))
  } finally {
    wallet?.entropy.fill(0)
    recoveryKey.fill(0)
    lost.autoKey?.fill(0)
    wipeKeyShares(own, share)
  }
  await device.takeOver(lost.previous)
}
