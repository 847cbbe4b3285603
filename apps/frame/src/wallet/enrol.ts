import { custodyError } from '../custody/custodyError.ts'
import {
  createRecoveryKey,
  openRecoveryKeyShare,
  sealRecoveryKeyShare,
  wrapRecoveryKey,
  type RecoveryMethod,
} from '../custody/recoveryMethod.ts'
import { isSameBytes } from '../custody/isSameBytes.ts'
import { createEntropy, deriveWalletKeys, wipeWalletKeys } from '../custody/walletKeys.ts'
import { encodeKeyShare, takeKeyShare, wipeKeyShares, type KeyShare } from '../custody/keyShare.ts'
import { createKeyShareSet, createWalletKey, joinKeyShares, splitKey } from '../custody/splitKey.ts'
import { openVault, sealVault } from '../custody/sealVault.ts'
import { signStoreProof, storeProofKey } from '../custody/signStoreProof.ts'
import { signWalletProof } from '../custody/signWalletProof.ts'
import type { AuthShares, WrappedRecoveryKey, ShareStore, WalletAccount } from '../services/shareStore.ts'
import type { DeviceStore } from './deviceStore.ts'

/** The three stores of key shares. */
export type KeyShareStores = { readonly auth: AuthShares; readonly shares: ShareStore; readonly device: DeviceStore }

/** The key of a recovery method, and the public facts that restore it. */
export type RecoveryMethodKey = {
  readonly id: string
  readonly method: RecoveryMethod
  readonly key: Uint8Array
  readonly facts: string
}

/** An open wallet. The owner has to wipe the entropy. */
export type OpenWallet = { readonly entropy: Uint8Array; readonly accounts: readonly WalletAccount[] }

const firstEpoch = 1
const walletIdBytes = 16

/**
 * Creates a wallet. It returns no address until all three shares were read back, each pair of them opened the vault,
 * and both services committed the enrolment. If anything fails before that, only drafts remain, which the services
 * delete.
 *
 * @param methods recovery methods; the wallet's keys are derived before they arrive
 * @throws ServiceRefusal 409 `walletId` if the user's wallet has been created elsewhere in the meantime. Recover that
 *   one.
 */
export async function createWallet(
  stores: KeyShareStores,
  methods: readonly RecoveryMethodKey[] | Promise<readonly RecoveryMethodKey[]>,
  now: number,
): Promise<OpenWallet> {
  const entropy = createEntropy()
  const [walletKey, recoveryKey] = [createWalletKey(), createRecoveryKey()]
  const walletId = crypto.getRandomValues(new Uint8Array(walletIdBytes))
  const place = { walletId, epoch: firstEpoch }
  try {
    const wrapAll = async () => Promise.all((await methods).map((way) => wrapForMethod(way, walletId, recoveryKey)))
    const [accounts, vault, wraps] = await Promise.all([
      deriveAccounts(entropy),
      sealVault(walletKey, place, { entropy, createdAt: now }),
      wrapAll(),
    ])
    await enrol(stores, {
      place,
      walletKey,
      recoveryKey,
      vault,
      accounts,
      first: { wraps, proofKey: storeProofKey(entropy) },
    })
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
 * Opens the wallet on an enrolled device, with the auth service alone.
 *
 * @returns `undefined` if the device is not enrolled or was revoked
 */
export async function unlock({
  auth,
  device,
}: Pick<KeyShareStores, 'auth' | 'device'>): Promise<OpenWallet | undefined> {
  const stored = await device.read()
  if (stored === undefined) return undefined
  const [, other] = await readShares(Promise.resolve(stored), auth.own())
  // An interrupted enrolment leaves a device share without counterparts.
  if (other === undefined || !isSameBytes(other.setId, stored.setId)) return undefined
  const shares = [takeKeyShare(stored.share), takeKeyShare(other.share)] as const
  try {
    return await openWithShares(...shares, stored.vault)
  } finally {
    wipeKeyShares(...shares)
  }
}

type StoredShare = { readonly share: Uint8Array }

/** Waits for shares that stores return. If one of them fails, the shares of the others are wiped. */
export async function readShares<const reads extends ReadonlyArray<Promise<StoredShare | undefined>>>(...reads: reads) {
  try {
    return await Promise.all(reads)
  } catch (error) {
    for (const read of reads) void read.then((stored) => stored?.share.fill(0)).catch(() => undefined)
    throw error
  }
}

/** The inputs of a new enrolment. */
export type Enrolment = {
  place: { walletId: Uint8Array; epoch: number }
  walletKey: Uint8Array
  recoveryKey: Uint8Array
  vault: Uint8Array
  accounts: readonly WalletAccount[]
  /** For the first device of a wallet or of an epoch. */
  first?: {
    wraps: readonly WrappedRecoveryKey[]
    /** The wallet's key at the share store. A later epoch keeps the one of the first epoch. */
    proofKey?: Uint8Array
  }
}

/** Creates and stores three new key shares in two phases: prepare, then commit. */
export async function enrol(stores: KeyShareStores, enrolment: Enrolment): Promise<void> {
  const { device } = stores
  const before = await device.read()
  try {
    const setId = await prepareShares(stores, enrolment)
    try {
      await proveAll(stores, enrolment, setId)
      await commitShares(stores, enrolment, setId)
    } catch (error) {
      await (before === undefined ? device.clear() : device.write(before))
      throw error
    }
  } finally {
    before?.share.fill(0)
  }
}

/** Splits the wallet key and stores the shares. @returns the id of their set */
async function prepareShares(
  { auth, shares, device }: KeyShareStores,
  { place, walletKey, recoveryKey, vault, accounts, first }: Enrolment,
): Promise<Uint8Array> {
  const set = createKeyShareSet(place)
  const keyShares = await splitKey(walletKey, set)
  const encoded = { auth: encodeKeyShare(keyShares.auth), device: encodeKeyShare(keyShares.device) }
  try {
    const sealed = await sealRecoveryKeyShare(recoveryKey, keyShares.recovery)
    await Promise.all([
      shares.prepare({ ...set, share: sealed, ...(first && { vault, ...first }) }),
      auth.prepare({ ...set, share: encoded.auth, accounts, sealed }),
    ])
    await device.write({ setId: set.setId, share: encoded.device, vault })
    return set.setId
  } finally {
    wipeKeyShares(...Object.values(keyShares))
    for (const share of Object.values(encoded)) share.fill(0)
  }
}

async function commitShares({ auth, shares }: KeyShareStores, enrolment: Enrolment, setId: Uint8Array): Promise<void> {
  // The share store decides about a first wallet. For further devices the auth service commits first.
  const prove = (challenge: Uint8Array) => withOpenVault(enrolment, (opened) => signWalletProof(opened, challenge))
  const sign = (text: Uint8Array) => withOpenVault(enrolment, async (opened) => signStoreProof(opened, text))
  if (enrolment.first === undefined) {
    await auth.commitProven(setId, prove)
    await shares.commitProven(setId, sign)
  } else {
    await shares.commit(setId, sign)
  }
  await auth.commit(setId, prove)
}

/** Signs a challenge of a service, which deletes older shares for a device only that opened the wallet. */
async function withOpenVault<result>(
  { walletKey, place, vault }: Enrolment,
  sign: (entropy: Uint8Array) => Promise<result>,
): Promise<result> {
  const { entropy } = await openVault(walletKey, place, vault)
  try {
    return await sign(entropy)
  } finally {
    entropy.fill(0)
  }
}

/** Reads all shares back and opens the vault with each pair. A share that can't be read back was not stored. */
async function proveAll(
  stores: KeyShareStores,
  { recoveryKey, accounts }: Enrolment,
  setId: Uint8Array,
): Promise<void> {
  const [local, remote, stored] = await readShares(
    stores.device.read(),
    stores.auth.read(setId),
    stores.shares.read(setId),
  )
  if (local === undefined || remote === undefined || stored === undefined) {
    throw custodyError('custody/invalid-share', { reason: 'a share could not be read back' })
  }
  const shares = [takeKeyShare(local.share), takeKeyShare(remote.share)]
  try {
    shares.push(await openRecoveryKeyShare(recoveryKey, stored, stored.share))
    await proveShares(shares, { vault: stored.vault, accounts })
  } finally {
    wipeKeyShares(...shares)
  }
}

/** Opens the vault with each pair of shares, and compares the accounts. */
export async function proveShares(
  [one, two, three]: readonly KeyShare[],
  { vault, accounts }: Pick<Enrolment, 'vault' | 'accounts'>,
): Promise<void> {
  if (one === undefined || two === undefined || three === undefined) throw new Error('A share is missing.')
  const pairs = [
    [one, two],
    [two, three],
    [one, three],
  ] as const
  const opened = await Promise.allSettled(pairs.map(([left, right]) => entropyBy(left, right, vault)))
  const entropies = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  try {
    for (const each of opened) if (each.status === 'rejected') throw each.reason
    const [first = new Uint8Array()] = entropies
    // Equal entropy has equal accounts. Deriving accounts takes longer than all other steps.
    const isSame = entropies.every((each) => isSameBytes(each, first))
    if (isSame && JSON.stringify(await deriveAccounts(first)) === JSON.stringify(accounts)) return
    throw custodyError('custody/mismatch', { reason: 'another wallet was read back' })
  } finally {
    for (const each of entropies) each.fill(0)
  }
}

/** Opens a wallet with two key shares. */
export async function openWithShares(one: KeyShare, other: KeyShare, vault: Uint8Array): Promise<OpenWallet> {
  const entropy = await entropyBy(one, other, vault)
  try {
    return { entropy, accounts: await deriveAccounts(entropy) }
  } catch (error) {
    entropy.fill(0)
    throw error
  }
}

/** @returns entropy that the caller has to wipe */
async function entropyBy(one: KeyShare, other: KeyShare, vault: Uint8Array): Promise<Uint8Array> {
  const walletKey = await joinKeyShares(one, other)
  try {
    return (await openVault(walletKey, one, vault)).entropy
  } finally {
    walletKey.fill(0)
  }
}

/** Derives the wallet's first account of each namespace. */
export async function deriveAccounts(entropy: Uint8Array): Promise<readonly WalletAccount[]> {
  const keys = await deriveWalletKeys(entropy)
  wipeWalletKeys(keys)
  return [
    { namespace: 'eip155', address: keys.evm.address },
    { namespace: 'solana', address: keys.solana.address },
  ]
}

/** Wraps the recovery key for a recovery method. */
export async function wrapForMethod(
  way: RecoveryMethodKey,
  walletId: Uint8Array,
  recoveryKey: Uint8Array,
): Promise<WrappedRecoveryKey> {
  const { id, method, facts, key } = way
  return { id, method, facts, wrapped: await wrapRecoveryKey(key, { walletId, method }, recoveryKey) }
}
