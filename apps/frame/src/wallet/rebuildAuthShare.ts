import { custodyError } from '../custody/custodyError.ts'
import { createRecoveryKey, openRecoveryKeyShare } from '../custody/recoveryMethod.ts'
import { isSameBytes } from '../custody/isSameBytes.ts'
import { takeKeyShare, wipeKeyShares, type KeyShare } from '../custody/keyShare.ts'
import { storeProofKey } from '../custody/signStoreProof.ts'
import { joinKeyShares } from '../custody/splitKey.ts'
import {
  enrol,
  openWithShares,
  wrapForMethod,
  type KeyShareStores,
  type OpenWallet,
  type RecoveryMethodKey,
} from './enrol.ts'
import { unwrapWithAny, type GetMethodKey, type OnUnreadable } from './unwrapWithAny.ts'

/**
 * Opens the wallet with this device and the share store after the auth service lost its share, and creates three new
 * shares.
 *
 * @throws LatchkeyError `custody/invalid-share` if this device was never enrolled or the share store doesn't know it
 */
export async function rebuildAuthShare(
  stores: KeyShareStores,
  getMethodKey: GetMethodKey,
  onUnreadable?: OnUnreadable,
): Promise<OpenWallet> {
  const local = await stores.device.read()
  const stored = local && (await stores.shares.read(local.setId))
  if (local === undefined || stored === undefined) throw createNotSetUpError()
  const recoveryKey = await unwrapWithAny(stored, getMethodKey, onUnreadable)
  try {
    const share = await openRecoveryKeyShare(recoveryKey, stored, stored.share)
    return await enrolBy(stores, [takeKeyShare(local.share), share], { recoveryKey, vault: stored.vault })
  } finally {
    recoveryKey.fill(0)
  }
}

/**
 * Opens the wallet with this device and the auth service after the share store lost its data, and creates three new
 * shares, the vault and the recovery methods.
 *
 * @param methods the new recovery methods. The old ones are lost.
 * @throws LatchkeyError `custody/invalid-share` if this device is not enrolled
 */
export async function rebuildRecoveryShare(
  stores: KeyShareStores,
  methods: readonly RecoveryMethodKey[],
): Promise<OpenWallet> {
  const [local, remote] = await Promise.all([stores.device.read(), stores.auth.own()])
  if (local === undefined || remote === undefined || !isSameBytes(local.setId, remote.setId))
    throw createNotSetUpError()
  const recoveryKey = createRecoveryKey()
  try {
    const wraps = await Promise.all(methods.map((method) => wrapForMethod(method, remote.walletId, recoveryKey)))
    const pair = [takeKeyShare(local.share), takeKeyShare(remote.share)] as const
    return await enrolBy(stores, pair, { recoveryKey, vault: local.vault, first: { wraps } })
  } finally {
    recoveryKey.fill(0)
  }
}

async function enrolBy(
  stores: KeyShareStores,
  [one, other]: readonly [KeyShare, KeyShare],
  given: Pick<Parameters<typeof enrol>[1], 'recoveryKey' | 'vault' | 'first'>,
): Promise<OpenWallet> {
  let walletKey: Uint8Array | undefined
  let wallet: OpenWallet | undefined
  try {
    walletKey = await joinKeyShares(one, other)
    wallet = await openWithShares(one, other, given.vault)
    const { walletId, epoch } = one
    const first = given.first && { ...given.first, proofKey: storeProofKey(wallet.entropy) }
    const rest = { place: { walletId, epoch }, walletKey, accounts: wallet.accounts }
    await enrol(stores, { ...given, ...rest, ...(first && { first }) })
    return wallet
  } catch (error) {
    wallet?.entropy.fill(0)
    throw error
  } finally {
    walletKey?.fill(0)
    wipeKeyShares(one, other)
  }
}

function createNotSetUpError(): Error {
  return custodyError('custody/invalid-share', { reason: 'this device is not enrolled' })
}
