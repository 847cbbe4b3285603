import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from '../custody/custodyError.ts'
import { isSameBytes } from '../custody/isSameBytes.ts'
import { openVault } from '../custody/sealVault.ts'
import type { WrappedRecoveryKey } from '../services/shareStore.ts'
import type { KeyShareStores } from './enrol.ts'
import { openWithServices } from './recover.ts'
import { openHere } from './rotate.ts'
import type { GetMethodKey, OnUnreadable } from './unwrapWithAny.ts'

/** The wallet that a rehearsal opened, and the stored data that it used. The caller must wipe the entropy. */
export type Rehearsal = { readonly entropy: Uint8Array; readonly digest: Uint8Array }

/**
 * Runs the recovery of a new device with one recovery method, and compares the result with the wallet that this device
 * holds. Stores nothing and changes nothing.
 *
 * @throws LatchkeyError `custody/unreadable` if the method does not open the wallet; `custody/mismatch` if it opens
 *   another one; `custody/invalid-share` if this device or the services hold no shares
 */
export async function rehearse(
  stores: KeyShareStores,
  id: string,
  getMethodKey: GetMethodKey,
  onUnreadable?: OnUnreadable,
): Promise<Rehearsal> {
  const held = await createFingerprint(stores)
  const only: GetMethodKey = async (wrap) => (wrap.id === id ? getMethodKey(wrap) : undefined)
  const { wallet, walletKey, recoveryKey, stored } = await openWithServices(stores, only, onUnreadable)
  try {
    if (!isSameBytes(held, deriveFingerprint(walletKey, wallet.entropy))) {
      throw custodyError('custody/mismatch', { reason: 'the recovered wallet differs from the one on this device' })
    }
    const used = stored.wraps.find((wrap) => wrap.id === id)
    if (used === undefined) throw custodyError('custody/unreadable', { what: 'The recovery key' })
    return { entropy: wallet.entropy, digest: methodDigest(stored, used) }
  } catch (error) {
    wallet.entropy.fill(0)
    throw error
  } finally {
    walletKey.fill(0)
    recoveryKey.fill(0)
  }
}

/** Identifies the stored data of a method. It changes with the password, the passkey and the epoch. */
export function methodDigest(
  { walletId, epoch }: { walletId: Uint8Array; epoch: number },
  { method, wrapped, facts }: WrappedRecoveryKey,
): Uint8Array {
  return sha256(concatBytes(walletId, utf8ToBytes(`${epoch}/${method}/${facts}/`), wrapped))
}

/** @returns the fingerprint of the wallet that this device opens with the auth service */
async function createFingerprint(stores: KeyShareStores): Promise<Uint8Array> {
  const { stored, walletKey, vault } = await openHere(stores)
  try {
    const { entropy } = await openVault(walletKey, stored, vault)
    try {
      return deriveFingerprint(walletKey, entropy)
    } finally {
      entropy.fill(0)
    }
  } finally {
    walletKey.fill(0)
  }
}

function deriveFingerprint(walletKey: Uint8Array, entropy: Uint8Array): Uint8Array {
  return hkdf(sha256, walletKey, entropy, utf8ToBytes('latchkey/fingerprint/1'), 16)
}
