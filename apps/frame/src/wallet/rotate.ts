import { custodyError } from '../custody/custodyError.ts'
import { createRecoveryKey, unwrapRecoveryKey } from '../custody/recovery.ts'
import { sameBytes } from '../custody/sameBytes.ts'
import { decodeShare } from '../custody/share.ts'
import { createWalletKey, joinShares } from '../custody/split.ts'
import { openVault, sealVault } from '../custody/vault.ts'
import type { KeptSet, KeptWrap } from '../services/services.ts'
import { accountsOf, enrol, unwrapAny, wrap, type Keepers, type OpenWallet, type RecoveryWay } from './enrol.ts'

/** Gets the key of one of the ways that were set up; undefined for one that cannot be gone here and now. */
export type WayOf = (wrap: KeptWrap) => Promise<Uint8Array | undefined>

export type Rotation = {
  readonly wayOf: WayOf
  /** Ids of ways that open nothing any more afterwards. */
  readonly drop?: readonly string[]
  /** New ways; one takes the place of the way with its id. */
  readonly add?: readonly RecoveryWay[]
}

/**
 * Begins the next epoch of the wallet, on a device that opens it: the same accounts under another wallet key. What was
 * split, sealed or copied before opens nothing of what is kept from then on. Other devices recover on their next use.
 *
 * With a way dropped there is another recovery key too, and every way that stays has to be gone once for it.
 *
 * @throws LatchkeyError `custody/way-needed` when a way that stays was not gone; `custody/last-way` when none would stay;
 *   `custody/invalid-share` when this device is not set up. ServiceRefusal 403 `deviceAge` on a device that is too new.
 */
export async function rotate(keepers: Keepers, { wayOf, drop = [], add = [] }: Rotation): Promise<OpenWallet> {
  const { kept, walletKey: oldKey, vault: oldVault } = await openHere(keepers)
  const { walletId } = kept
  const walletKey = createWalletKey()
  let recoveryKey: Uint8Array | undefined
  try {
    const content = await openVault(oldKey, kept, oldVault)
    const place = { walletId, epoch: kept.epoch + 1 }
    const accounts = await accountsOf(content.entropy)
    const dropped = new Set([...drop, ...add.map(({ id }) => id)])
    const stay = kept.wraps.filter(({ id }) => !dropped.has(id))
    if (stay.length + add.length === 0) throw custodyError('custody/last-way', {})
    const isLeft = stay.length < kept.wraps.length
    recoveryKey = isLeft ? createRecoveryKey() : await unwrapAny(kept, wayOf)
    const key = recoveryKey
    const wraps = isLeft ? await Promise.all(stay.map((each) => wrapAnew(each, walletId, wayOf, key))) : stay
    const added = await Promise.all(add.map((way) => wrap(way, walletId, key)))
    const vault = await sealVault(walletKey, place, content)
    await enrol(keepers, {
      place,
      walletKey,
      recoveryKey: key,
      vault,
      accounts,
      first: { wraps: [...wraps, ...added] },
    })
    return { entropy: content.entropy, accounts }
  } finally {
    oldKey.fill(0)
    walletKey.fill(0)
    recoveryKey?.fill(0)
  }
}

/**
 * Adds a way to recover, on the epoch that is.
 *
 * @throws LatchkeyError `custody/unreadable` when none of the ways that are there was gone
 */
export async function addWay({ shares }: Pick<Keepers, 'shares'>, way: RecoveryWay, wayOf: WayOf): Promise<void> {
  const kept = await shares.find()
  if (kept === undefined) throw custodyError('custody/invalid-share', { reason: 'the share store keeps no wallet' })
  const recoveryKey = await unwrapAny(kept, wayOf)
  try {
    await shares.addWay(await wrap(way, kept.walletId, recoveryKey))
  } finally {
    recoveryKey.fill(0)
  }
}

/** The wallet key, by this device's part and the auth service's, and what the share store keeps of the same epoch. */
async function openHere({ auth, shares, device }: Keepers) {
  const [local, remote, kept] = await Promise.all([device.read(), auth.own(), shares.find()])
  if (local === undefined || remote === undefined || kept === undefined || !sameBytes(local.setId, remote.setId)) {
    throw custodyError('custody/invalid-share', { reason: 'this device is not set up' })
  }
  if (remote.epoch !== kept.epoch) throw custodyError('custody/mismatch', { reason: 'one is older than the other' })
  const walletKey = await joinShares(decodeShare(local.share), decodeShare(remote.share))
  return { kept, walletKey, vault: local.vault }
}

/** The key has to open what is there first: a mistyped password must not become the way to recover. */
async function wrapAnew(
  kept: KeptWrap,
  walletId: KeptSet['walletId'],
  wayOf: WayOf,
  recoveryKey: Uint8Array,
): Promise<KeptWrap> {
  const key = await wayOf(kept)
  if (key === undefined) throw custodyError('custody/way-needed', { method: kept.method })
  const old = await unwrapRecoveryKey(key, { walletId, method: kept.method }, kept.wrapped)
  old.fill(0)
  return wrap({ ...kept, key }, walletId, recoveryKey)
}
