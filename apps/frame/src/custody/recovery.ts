import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'
import { seal, unseal } from './seal.ts'
import { decodeShare, encodeShare, shareHeader, type Share } from './share.ts'

/** How the recovery key is got back: by the share store's word, a password, or a passkey. */
export type RecoveryMethod = 'auto' | 'password' | 'passkey'

const methods: readonly RecoveryMethod[] = ['auto', 'password', 'passkey']
const keyBytes = 32

/** A recovery key: it seals the third part of every enrolment, so that who stores those cannot read them. */
export function createRecoveryKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(keyBytes))
}

/** Seals the part that the share store keeps. */
export function sealRecoveryShare(recoveryKey: Uint8Array, share: Share): Promise<Uint8Array> {
  if (share.role !== 'recovery') throw custodyError('custody/invalid-share', { reason: 'another service keeps it' })
  return seal(recoveryKey, 'share', shareHeader(share), encodeShare(share))
}

/**
 * Opens the part that the share store kept.
 *
 * @param expected which enrolment it is said to be of
 * @throws LatchkeyError `custody/unreadable`, `custody/invalid-share`.
 */
export async function openRecoveryShare(
  recoveryKey: Uint8Array,
  expected: Omit<Share, 'role' | 'check' | 'values'>,
  sealed: Uint8Array,
): Promise<Share> {
  const header = shareHeader({ ...expected, role: 'recovery' })
  const bytes = await unseal(recoveryKey, 'share', header, sealed, 'The part that is kept for recovery')
  try {
    return decodeShare(bytes)
  } finally {
    bytes.fill(0)
  }
}

/**
 * Wraps the recovery key for one way of getting it back.
 *
 * @param methodKey 32 bytes that the way leads to: the service's own, one made of a password, one of a passkey
 * @param walletId and method are authenticated: a wrap does not open as another wallet's, or as another way's
 */
export function wrapRecoveryKey(
  methodKey: Uint8Array,
  place: { walletId: Uint8Array; method: RecoveryMethod },
  recoveryKey: Uint8Array,
): Promise<Uint8Array> {
  return seal(methodKey, 'recovery-key', wrapHeader(place), recoveryKey)
}

/**
 * Gets the recovery key back.
 *
 * @throws LatchkeyError `custody/unreadable` with another password or passkey.
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
