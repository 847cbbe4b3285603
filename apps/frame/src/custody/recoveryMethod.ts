import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'
import { seal, unseal } from './seal.ts'
import { encodeKeyShare, keyShareHeader, takeKeyShare, type KeyShare } from './keyShare.ts'

/** The method that unlocks the recovery key: the share store (`auto`), a password or a passkey. */
export type RecoveryMethod = 'auto' | 'password' | 'passkey'

const methods: readonly RecoveryMethod[] = ['auto', 'password', 'passkey']
const keyBytes = 32

/** Creates a recovery key. It seals the recovery share of every enrolment, so that the share store can't read it. */
export function createRecoveryKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(keyBytes))
}

/** Seals the recovery share for the share store. */
export async function sealRecoveryKeyShare(recoveryKey: Uint8Array, share: KeyShare): Promise<Uint8Array> {
  if (share.role !== 'recovery') throw custodyError('custody/invalid-share', { reason: 'it is not a recovery share' })
  const encoded = encodeKeyShare(share)
  try {
    return await seal(recoveryKey, 'share', keyShareHeader(share), encoded)
  } finally {
    encoded.fill(0)
  }
}

/**
 * Opens the recovery share from the share store.
 *
 * @param expected the enrolment that the share claims to belong to
 * @throws LatchkeyError `custody/unreadable`, `custody/invalid-share`
 */
export async function openRecoveryKeyShare(
  recoveryKey: Uint8Array,
  expected: Omit<KeyShare, 'role' | 'check' | 'values'>,
  sealed: Uint8Array,
): Promise<KeyShare> {
  const header = keyShareHeader({ ...expected, role: 'recovery' })
  return takeKeyShare(await unseal(recoveryKey, 'share', header, sealed, 'The recovery share'))
}

/**
 * Wraps the recovery key for a recovery method.
 *
 * @param methodKey 32 bytes: the share store's own key, or one derived from a password or a passkey
 * @param place wallet and method. Both are authenticated: the result opens for no other wallet and no other method.
 */
export function wrapRecoveryKey(
  methodKey: Uint8Array,
  place: { walletId: Uint8Array; method: RecoveryMethod },
  recoveryKey: Uint8Array,
): Promise<Uint8Array> {
  return seal(methodKey, 'recovery-key', wrapHeader(place), recoveryKey)
}

/**
 * Unwraps the recovery key.
 *
 * @throws LatchkeyError `custody/unreadable` with a wrong password or passkey
 */
export async function unwrapRecoveryKey(
  methodKey: Uint8Array,
  place: { walletId: Uint8Array; method: RecoveryMethod },
  wrapped: Uint8Array,
): Promise<Uint8Array> {
  const key = await unseal(methodKey, 'recovery-key', wrapHeader(place), wrapped, 'The recovery key')
  if (key.length === keyBytes) return key
  key.fill(0)
  throw custodyError('custody/unreadable', { what: 'The recovery key' })
}

function wrapHeader({ walletId, method }: { walletId: Uint8Array; method: RecoveryMethod }): Uint8Array {
  return concatBytes(utf8ToBytes('WSK1'), walletId, Uint8Array.of(methods.indexOf(method) + 1))
}
