import { custodyError } from '../custody/custodyError.ts'
import { createRecoveryKey, unwrapRecoveryKey } from '../custody/recoveryMethod.ts'
import { isSameBytes } from '../custody/isSameBytes.ts'
import { takeKeyShare, wipeKeyShares } from '../custody/keyShare.ts'
import { createWalletKey, joinKeyShares } from '../custody/splitKey.ts'
import { openVault, sealVault, type VaultContent } from '../custody/sealVault.ts'
import type { SignForStore } from '../services/postProven.ts'
import type { StoredEnrolment, WrappedRecoveryKey } from '../services/shareStore.ts'
import {
  deriveAccounts,
  enrol,
  readShares,
  wrapForMethod,
  type KeyShareStores,
  type OpenWallet,
  type RecoveryMethodKey,
} from './enrol.ts'
import { isUnreadable, unwrapWithAny, type GetMethodKey } from './unwrapWithAny.ts'

export type Rotation = {
  readonly getMethodKey: GetMethodKey
  /** Ids of the recovery methods to remove. */
  readonly drop?: readonly string[]
  /** New recovery methods. One with an existing id replaces it. */
  readonly add?: readonly RecoveryMethodKey[]
}

/**
 * Begins the next epoch on a device that opens the wallet: the same accounts under another wallet key. Older shares,
 * vaults and copies open nothing that is stored afterwards. Other devices recover on their next use. If a method is
 * removed, the recovery key changes too, and every remaining method has to supply its key once.
 *
 * @throws LatchkeyError `custody/recovery-method-needed` if a remaining method supplied no key;
 *   `custody/last-recovery-method` if none would remain; `custody/invalid-share` if this device is not enrolled
 * @throws ServiceRefusal 403 `deviceAge` if the device is too new
 */
export async function rotate(
  stores: KeyShareStores,
  { getMethodKey, drop = [], add = [] }: Rotation,
): Promise<OpenWallet> {
  const { stored, walletKey: oldKey, vault: oldVault } = await openHere(stores)
  const { walletId } = stored
  const walletKey = createWalletKey()
  let recoveryKey: Uint8Array | undefined
  let content: VaultContent | undefined
  try {
    content = await openVault(oldKey, stored, oldVault)
    const place = { walletId, epoch: stored.epoch + 1 }
    const accounts = await deriveAccounts(content.entropy)
    const dropped = new Set([...drop, ...add.map(({ id }) => id)])
    const stay = stored.wraps.filter(({ id }) => !dropped.has(id))
    if (stay.length + add.length === 0) throw custodyError('custody/last-recovery-method', {})
    const isLeft = stay.length < stored.wraps.length
    recoveryKey = isLeft ? createRecoveryKey() : await unwrapWithAny(stored, getMethodKey)
    const key = recoveryKey
    const wraps = isLeft ? await wrapRemaining(stay, { walletId, recoveryKey: key, getMethodKey }) : stay
    const added = await Promise.all(add.map((way) => wrapForMethod(way, walletId, key)))
    if (wraps.length + added.length === 0) throw custodyError('custody/last-recovery-method', {})
    const vault = await sealVault(walletKey, place, content)
    await enrol(stores, {
      place,
      walletKey,
      recoveryKey: key,
      vault,
      accounts,
      first: { wraps: [...wraps, ...added] },
    })
    return { entropy: content.entropy, accounts }
  } catch (error) {
    content?.entropy.fill(0)
    throw error
  } finally {
    oldKey.fill(0)
    walletKey.fill(0)
    recoveryKey?.fill(0)
  }
}

/**
 * Adds a recovery method within the current epoch. `sign` proves that the wallet is open.
 *
 * @throws LatchkeyError `custody/unreadable` if none of the existing methods supplied a key
 */
export async function addRecoveryMethod(
  { shares, sign }: Pick<KeyShareStores, 'shares'> & { sign: SignForStore },
  way: RecoveryMethodKey,
  getMethodKey: GetMethodKey,
): Promise<void> {
  const stored = await shares.find()
  if (stored === undefined) throw custodyError('custody/invalid-share', { reason: 'the share store has no wallet' })
  const recoveryKey = await unwrapWithAny(stored, getMethodKey)
  try {
    await shares.addRecoveryMethod(await wrapForMethod(way, stored.walletId, recoveryKey), sign)
  } finally {
    recoveryKey.fill(0)
  }
}

/**
 * Joins the wallet key from the shares of this device and the auth service, and reads the share store's data of the
 * same epoch.
 */
export async function openHere({ auth, shares, device }: KeyShareStores) {
  const [local, remote, stored] = await readShares(device.read(), auth.own(), shares.find())
  if (local === undefined || remote === undefined || stored === undefined || !isSameBytes(local.setId, remote.setId)) {
    throw custodyError('custody/invalid-share', { reason: 'this device is not enrolled' })
  }
  if (remote.epoch !== stored.epoch) throw custodyError('custody/mismatch', { reason: 'they are of two epochs' })
  const pair = [takeKeyShare(local.share), takeKeyShare(remote.share)] as const
  try {
    return { stored, walletKey: await joinKeyShares(...pair), vault: local.vault }
  } finally {
    wipeKeyShares(...pair)
  }
}

type Rewrapping = {
  readonly walletId: StoredEnrolment['walletId']
  readonly recoveryKey: Uint8Array
  readonly getMethodKey: GetMethodKey
}

/**
 * Wraps the new recovery key for the remaining methods. A method that does not open the wallet is left out, so that it
 * can't block the removal of another one: the automatic one, or a second password if the entered one opened the first.
 *
 * @throws LatchkeyError `custody/unreadable` with a wrong password or passkey
 */
async function wrapRemaining(
  methods: readonly WrappedRecoveryKey[],
  { walletId, recoveryKey, getMethodKey }: Rewrapping,
): Promise<readonly WrappedRecoveryKey[]> {
  const wraps: WrappedRecoveryKey[] = []
  const unreadable: Array<{ method: WrappedRecoveryKey['method']; error: unknown }> = []
  for (const each of methods) {
    try {
      wraps.push(await rewrap(each, walletId, getMethodKey, recoveryKey))
    } catch (error) {
      if (!isUnreadable(error)) throw error
      unreadable.push({ method: each.method, error })
    }
  }
  const opened = new Set(wraps.map(({ method }) => method))
  const wrong = unreadable.find(({ method }) => method === 'passkey' || (method === 'password' && !opened.has(method)))
  if (wrong !== undefined) throw wrong.error
  return wraps
}

/** The key has to open the current wrap first. Otherwise a mistyped password would become the recovery method. */
async function rewrap(
  stored: WrappedRecoveryKey,
  walletId: StoredEnrolment['walletId'],
  getMethodKey: GetMethodKey,
  recoveryKey: Uint8Array,
): Promise<WrappedRecoveryKey> {
  const key = await getMethodKey(stored)
  if (key === undefined) throw custodyError('custody/recovery-method-needed', { method: stored.method })
  try {
    const old = await unwrapRecoveryKey(key, { walletId, method: stored.method }, stored.wrapped)
    old.fill(0)
    return await wrapForMethod({ ...stored, key }, walletId, recoveryKey)
  } finally {
    key.fill(0)
  }
}
