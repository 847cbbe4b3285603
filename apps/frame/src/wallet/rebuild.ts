import { custodyError } from '../custody/custodyError.ts'
import { createRecoveryKey, openRecoveryShare } from '../custody/recovery.ts'
import { sameBytes } from '../custody/sameBytes.ts'
import { decodeShare, type Share } from '../custody/share.ts'
import { joinShares } from '../custody/split.ts'
import { enrol, open, unwrapAny, wrap, type Keepers, type OpenWallet, type RecoveryWay } from './enrol.ts'
import type { WayOf } from './rotate.ts'

/**
 * Opens the wallet by this device and the share store, after the auth service lost its part, and gives all three new parts.
 *
 * @throws LatchkeyError `custody/invalid-share` when this device was never set up, or the share store does not know it
 */
export async function rebuildAuth(keepers: Keepers, wayOf: WayOf): Promise<OpenWallet> {
  const local = await keepers.device.read()
  const kept = local && (await keepers.shares.read(local.setId))
  if (local === undefined || kept === undefined) throw notSetUp()
  const recoveryKey = await unwrapAny(kept, wayOf)
  try {
    const share = await openRecoveryShare(recoveryKey, kept, kept.share)
    return await enrolBy(keepers, [decodeShare(local.share), share], { recoveryKey, vault: kept.vault })
  } finally {
    recoveryKey.fill(0)
  }
}

/**
 * Opens the wallet by this device and the auth service, after the share store lost its part, and gives all three new parts,
 * the vault, and the ways to recover.
 *
 * @param ways are set up anew: the old ones are lost
 * @throws LatchkeyError `custody/invalid-share` when this device is not set up
 */
export async function rebuildShares(keepers: Keepers, ways: readonly RecoveryWay[]): Promise<OpenWallet> {
  const [local, remote] = await Promise.all([keepers.device.read(), keepers.auth.own()])
  if (local === undefined || remote === undefined || !sameBytes(local.setId, remote.setId)) throw notSetUp()
  const recoveryKey = createRecoveryKey()
  try {
    const wraps = await Promise.all(ways.map((way) => wrap(way, remote.walletId, recoveryKey)))
    const pair = [decodeShare(local.share), decodeShare(remote.share)] as const
    return await enrolBy(keepers, pair, { recoveryKey, vault: local.vault, first: { wraps } })
  } finally {
    recoveryKey.fill(0)
  }
}

async function enrolBy(
  keepers: Keepers,
  [one, other]: readonly [Share, Share],
  given: Pick<Parameters<typeof enrol>[1], 'recoveryKey' | 'vault' | 'first'>,
): Promise<OpenWallet> {
  const wallet = await open(one, other, given.vault)
  const walletKey = await joinShares(one, other)
  try {
    const { walletId, epoch } = one
    await enrol(keepers, { ...given, place: { walletId, epoch }, walletKey, accounts: wallet.accounts })
    return wallet
  } catch (error) {
    wallet.entropy.fill(0)
    throw error
  } finally {
    walletKey.fill(0)
  }
}

function notSetUp(): Error {
  return custodyError('custody/invalid-share', { reason: 'this device is not set up' })
}
