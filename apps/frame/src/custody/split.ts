import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { combine, split } from 'shamir-secret-sharing'
import { custodyError } from './custodyError.ts'
import { sameBytes } from './sameBytes.ts'
import { parts, shareHeader, threshold, type Share, type ShareRole, type ShareSet } from './share.ts'

const keyBytes = 32

/** A wallet key: 32 random bytes, new for each epoch. */
export function createWalletKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(keyBytes))
}

/** Names a new enrolment of a wallet. */
export function createShareSet(wallet: Omit<ShareSet, 'setId'>): ShareSet {
  return { ...wallet, setId: crypto.getRandomValues(new Uint8Array(16)) }
}

/**
 * Splits a wallet key in three, of which any two rebuild it (Shamir over GF(2⁸)).
 *
 * @example const { device, auth, recovery } = await splitKey(walletKey, createShareSet({ walletId, epoch: 1 }))
 */
export async function splitKey(walletKey: Uint8Array, set: ShareSet): Promise<Readonly<Record<ShareRole, Share>>> {
  if (walletKey.length !== keyBytes)
    throw custodyError('custody/invalid-share', { reason: 'the key has another length' })
  const [first, second, third] = await split(Uint8Array.from(walletKey), parts, threshold)
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('a split into fewer than three')
  const share = (role: ShareRole, values: Uint8Array): Share => {
    const header = { ...set, role }
    return { ...header, check: checkOf(walletKey, header), values }
  }
  return { device: share('device', first), auth: share('auth', second), recovery: share('recovery', third) }
}

/**
 * Rebuilds a wallet key from two of its parts, in any order.
 *
 * The library joins damaged parts to wrong bytes without a word, so the key is compared with what both parts say that it
 * leads to before anybody gets it.
 *
 * @throws LatchkeyError `custody/mismatch` when the parts are not two of one enrolment, or give no key of it.
 */
export async function joinShares(one: Share, other: Share): Promise<Uint8Array> {
  if (!sameBytes(one.walletId, other.walletId)) throw mismatch('they are of two wallets')
  if (one.epoch !== other.epoch) throw mismatch('one is older than the other')
  if (!sameBytes(one.setId, other.setId)) throw mismatch('they are of two devices')
  if (one.role === other.role || one.values.at(-1) === other.values.at(-1)) throw mismatch('it is one part twice')
  const key = await combine([one.values, other.values].map((values) => Uint8Array.from(values)))
  if ([one, other].every((share) => sameBytes(checkOf(key, share), share.check))) return key
  key.fill(0)
  throw mismatch('one of them was changed')
}

/** What a part says that the key leads to. Its header goes in, so that a part cannot be passed off as another's. */
function checkOf(walletKey: Uint8Array, share: ShareSet & { role: ShareRole }): Uint8Array {
  return hkdf(sha256, walletKey, share.setId, concatBytes(utf8ToBytes('kcv'), shareHeader(share)), 16)
}

function mismatch(reason: string): Error {
  return custodyError('custody/mismatch', { reason })
}
