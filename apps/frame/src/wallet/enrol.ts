import { custodyError } from '../custody/custodyError.ts'
import {
  createRecoveryKey,
  openRecoveryShare,
  sealRecoveryShare,
  unwrapRecoveryKey,
  wrapRecoveryKey,
  type RecoveryMethod,
} from '../custody/recovery.ts'
import { sameBytes } from '../custody/sameBytes.ts'
import { createEntropy, deriveKeys, wipeKeys } from '../custody/seed.ts'
import { decodeShare, encodeShare, type Share } from '../custody/share.ts'
import { createShareSet, createWalletKey, joinShares, splitKey } from '../custody/split.ts'
import { openVault, sealVault } from '../custody/vault.ts'
import type { AuthKeeper, KeptSet, KeptWrap, ShareKeeper, WalletAccount } from '../services/services.ts'
import type { DeviceStore } from './deviceStore.ts'

/** Everybody who keeps a part. */
export type Keepers = { readonly auth: AuthKeeper; readonly shares: ShareKeeper; readonly device: DeviceStore }

/** A key that one way of recovering leads to, and what has to be known to get there again. */
export type RecoveryWay = {
  readonly id: string
  readonly method: RecoveryMethod
  readonly key: Uint8Array
  readonly facts: string
}

/** An open wallet. Its secrets are the holder's to wipe. */
export type OpenWallet = { readonly entropy: Uint8Array; readonly accounts: readonly WalletAccount[] }

const firstEpoch = 1
const walletIdBytes = 16
/** As many as the share store keeps. */
const mostSets = 25

/**
 * Makes a wallet.
 *
 * No address is told before all three parts were read back from where they are kept, each pair of them opened the vault,
 * and both services said that it counts: whatever dies in the middle leaves a draft that is swept away, and no address
 * that nobody could recover.
 *
 * @throws ServiceRefusal 409 `walletId` when this user's wallet was made elsewhere meanwhile: that one is to be recovered.
 */
export async function createWallet(keepers: Keepers, ways: readonly RecoveryWay[], now: number): Promise<OpenWallet> {
  const entropy = createEntropy()
  const [walletKey, recoveryKey] = [createWalletKey(), createRecoveryKey()]
  const walletId = crypto.getRandomValues(new Uint8Array(walletIdBytes))
  const place = { walletId, epoch: firstEpoch }
  try {
    const vault = await sealVault(walletKey, place, { entropy, createdAt: now })
    const wraps = await Promise.all(ways.map((way) => wrap(way, walletId, recoveryKey)))
    const accounts = await accountsOf(entropy)
    await enrol(keepers, { place, walletKey, recoveryKey, vault, accounts, first: { wraps } })
    return { entropy, accounts }
  } catch (error) {
    entropy.fill(0)
    throw error
  } finally {
    walletKey.fill(0)
    recoveryKey.fill(0)
  }
}

/**
 * Opens the wallet on a device that knows its part: with the auth service alone.
 *
 * @returns undefined when this device is not set up, or was taken away
 */
export async function unlock({ auth, device }: Pick<Keepers, 'auth' | 'device'>): Promise<OpenWallet | undefined> {
  const kept = await device.read()
  if (kept === undefined) return undefined
  const other = await auth.own()
  // An enrolment that died in the middle left this device with a part that nothing else belongs to.
  if (other === undefined || !sameBytes(other.setId, kept.setId)) return undefined
  return open(decodeShare(kept.share), decodeShare(other.share), kept.vault)
}

/**
 * Opens the wallet with what the two services keep, and sets this device up with parts of its own.
 *
 * @param wayOf gets the key of one of the ways that were set up; undefined for one that cannot be gone here
 * @throws LatchkeyError `custody/unreadable` with another password or passkey; `custody/invalid-share` when the services
 *   keep no wallet
 */
export async function recover(
  keepers: Keepers,
  wayOf: (wrap: KeptWrap) => Promise<Uint8Array | undefined>,
): Promise<OpenWallet> {
  const { kept, auth } = await findPair(keepers)
  const recoveryKey = await unwrapAny(kept, wayOf)
  const share = await openRecoveryShare(recoveryKey, kept, kept.share)
  const walletKey = await joinShares(share, auth)
  try {
    const wallet = await open(share, auth, kept.vault)
    const { walletId, epoch } = kept
    const { accounts } = wallet
    await enrol(keepers, { place: { walletId, epoch }, walletKey, recoveryKey, vault: kept.vault, accounts })
    return wallet
  } finally {
    walletKey.fill(0)
    recoveryKey.fill(0)
  }
}

/** What both services keep of one enrolment. Some may be kept by one of them only: what made it died in the middle. */
async function findPair({ auth, shares }: Keepers): Promise<{ kept: KeptSet; auth: Share }> {
  const without: Uint8Array[] = []
  while (without.length < mostSets) {
    const kept = await shares.find(without)
    if (kept === undefined) break
    const remote = await auth.any(kept.setId)
    if (remote !== undefined) return { kept, auth: decodeShare(remote.share) }
    without.push(kept.setId)
  }
  throw custodyError('custody/invalid-share', { reason: 'the services keep no wallet for this login' })
}

/** What a device's new parts are made of. */
export type Enrolment = {
  place: { walletId: Uint8Array; epoch: number }
  walletKey: Uint8Array
  recoveryKey: Uint8Array
  vault: Uint8Array
  accounts: readonly WalletAccount[]
  /** With the first device of a wallet, and of an epoch. */
  first?: { wraps: readonly KeptWrap[] }
}

/** Brings three new parts to where they are kept, in two phases. */
export async function enrol({ auth, shares, device }: Keepers, enrolment: Enrolment): Promise<void> {
  const { place, walletKey, recoveryKey, vault, accounts, first } = enrolment
  const before = await device.read()
  const set = createShareSet(place)
  const parts = await splitKey(walletKey, set)
  const sealed = await sealRecoveryShare(recoveryKey, parts.recovery)
  await shares.prepare({ ...set, share: sealed, ...(first && { vault, wraps: first.wraps }) })
  await auth.prepare({ ...set, share: encodeShare(parts.auth), accounts })
  await device.write({ setId: set.setId, share: encodeShare(parts.device), vault })
  try {
    await proveAll({ auth, shares, device }, enrolment, set.setId)
    // A first wallet is the share store's to decide. Another device's part is there only once the auth service's is.
    if (first === undefined) await auth.commit(set.setId)
    await shares.commit(set.setId)
    await auth.commit(set.setId)
  } catch (error) {
    await (before === undefined ? device.clear() : device.write(before))
    throw error
  }
}

/** Reads everything back, and opens the vault with each pair: nothing counts that was only said to be kept. */
async function proveAll(keepers: Keepers, { recoveryKey, accounts }: Enrolment, setId: Uint8Array): Promise<void> {
  const [local, remote, kept] = await Promise.all([
    keepers.device.read(),
    keepers.auth.read(setId),
    keepers.shares.read(setId),
  ])
  if (local === undefined || remote === undefined || kept === undefined) {
    throw custodyError('custody/invalid-share', { reason: 'a part was not there when it was read back' })
  }
  const one = decodeShare(local.share)
  const two = decodeShare(remote.share)
  const three = await openRecoveryShare(recoveryKey, kept, kept.share)
  const pairs = [
    [one, two],
    [two, three],
    [one, three],
  ] as const
  const grown = await Promise.all(pairs.map(([left, right]) => entropyBy(left, right, kept.vault)))
  try {
    const [first = new Uint8Array()] = grown
    // What is the same bytes has the same accounts: deriving them takes longer than all the rest.
    const isSame = grown.every((each) => sameBytes(each, first))
    if (isSame && JSON.stringify(await accountsOf(first)) === JSON.stringify(accounts)) return
    throw custodyError('custody/mismatch', { reason: 'what was read back is another wallet' })
  } finally {
    for (const each of grown) each.fill(0)
  }
}

/** Opens a wallet by two of its parts. */
export async function open(one: Share, other: Share, vault: Uint8Array): Promise<OpenWallet> {
  const entropy = await entropyBy(one, other, vault)
  return { entropy, accounts: await accountsOf(entropy) }
}

/** @returns the caller's to wipe */
async function entropyBy(one: Share, other: Share, vault: Uint8Array): Promise<Uint8Array> {
  const walletKey = await joinShares(one, other)
  try {
    return (await openVault(walletKey, one, vault)).entropy
  } finally {
    walletKey.fill(0)
  }
}

/** The wallet's first account of each family. */
export async function accountsOf(entropy: Uint8Array): Promise<readonly WalletAccount[]> {
  const keys = await deriveKeys(entropy)
  wipeKeys(keys)
  return [
    { namespace: 'eip155', address: keys.evm.address },
    { namespace: 'solana', address: keys.solana.address },
  ]
}

/** Gets the recovery key back by the first way that can be gone. */
export async function unwrapAny(
  { walletId, wraps }: KeptSet,
  wayOf: (wrap: KeptWrap) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  for (const each of wraps) {
    const key = await wayOf(each)
    if (key !== undefined) return unwrapRecoveryKey(key, { walletId, method: each.method }, each.wrapped)
  }
  throw custodyError('custody/unreadable', { what: 'The recovery key' })
}

/** Wraps the recovery key for a way. */
export async function wrap(way: RecoveryWay, walletId: Uint8Array, recoveryKey: Uint8Array): Promise<KeptWrap> {
  const { id, method, facts, key } = way
  return { id, method, facts, wrapped: await wrapRecoveryKey(key, { walletId, method }, recoveryKey) }
}
