import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { combine, split } from 'shamir-secret-sharing'
import { custodyError } from './custodyError.ts'
import { isSameBytes } from './isSameBytes.ts'
import {
  shareCount,
  keyShareHeader,
  threshold,
  type KeyShare,
  type KeyShareRole,
  type KeyShareSet,
} from './keyShare.ts'

const keyBytes = 32

/** Creates a wallet key: 32 random bytes, new for each epoch. */
export function createWalletKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(keyBytes))
}

/** Creates the identity of a new enrolment. */
export function createKeyShareSet(wallet: Omit<KeyShareSet, 'setId'>): KeyShareSet {
  return { ...wallet, setId: crypto.getRandomValues(new Uint8Array(16)) }
}

/**
 * Splits a wallet key into three shares, any two of which rebuild it (Shamir over GF(2⁸)).
 *
 * @example const { device, auth, recovery } = await splitKey(walletKey, createKeyShareSet({ walletId, epoch: 1 }))
 */
export async function splitKey(
  walletKey: Uint8Array,
  set: KeyShareSet,
): Promise<Readonly<Record<KeyShareRole, KeyShare>>> {
  if (walletKey.length !== keyBytes)
    throw custodyError('custody/invalid-share', { reason: 'the key has another length' })
  const key = Uint8Array.from(walletKey)
  const [first, second, third] = await split(key, shareCount, threshold).finally(() => key.fill(0))
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('The split returned fewer than three shares.')
  const share = (role: KeyShareRole, values: Uint8Array): KeyShare => {
    const header = { ...set, role }
    return { ...header, check: checkOf(walletKey, header), values }
  }
  return { device: share('device', first), auth: share('auth', second), recovery: share('recovery', third) }
}

/**
 * Rebuilds a wallet key from two shares in any order. The library joins damaged shares to a wrong key without an error,
 * so the result is compared with the check bytes of both shares.
 *
 * @throws LatchkeyError `custody/mismatch` if the shares belong to different enrolments or yield a wrong key
 */
export async function joinKeyShares(one: KeyShare, other: KeyShare): Promise<Uint8Array> {
  if (!isSameBytes(one.walletId, other.walletId)) throw createMismatchError('they are of two wallets')
  if (one.epoch !== other.epoch) throw createMismatchError('they are of two epochs')
  if (!isSameBytes(one.setId, other.setId)) throw createMismatchError('they are of two devices')
  if (one.role === other.role || one.values.at(-1) === other.values.at(-1))
    throw createMismatchError('they are the same share')
  const copies = [one.values, other.values].map((values) => Uint8Array.from(values))
  const key = await combine(copies).finally(() => {
    for (const copy of copies) copy.fill(0)
  })
  if ([one, other].every((share) => isSameBytes(checkOf(key, share), share.check))) return key
  key.fill(0)
  throw createMismatchError('one of them was modified')
}

/** Derives the check bytes of a share. They cover the header, so that a share can't pass for another one. */
function checkOf(walletKey: Uint8Array, share: KeyShareSet & { role: KeyShareRole }): Uint8Array {
  return hkdf(sha256, walletKey, share.setId, concatBytes(utf8ToBytes('kcv'), keyShareHeader(share)), 16)
}

function createMismatchError(reason: string): Error {
  return custodyError('custody/mismatch', { reason })
}
