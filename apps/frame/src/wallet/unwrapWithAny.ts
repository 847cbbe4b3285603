import { isLatchkeyError } from '@latchkey/protocol'
import { custodyError } from '../custody/custodyError.ts'
import { unwrapRecoveryKey } from '../custody/recoveryMethod.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import type { StoredEnrolment, WrappedRecoveryKey } from '../services/shareStore.ts'

/** Returns the key of a recovery method, which the caller wipes, or `undefined` if the method can't be used here and now. */
export type GetMethodKey = (wrap: WrappedRecoveryKey) => Promise<Uint8Array | undefined>

/** Called with each stored recovery method that its own key did not open. */
export type OnUnreadable = (wrap: WrappedRecoveryKey) => void

/**
 * Unwraps the recovery key with the first recovery method that opens it. One damaged method, which an attacker may have
 * added, doesn't hide the others.
 *
 * @throws LatchkeyError `custody/unreadable` if no method opens it
 */
export async function unwrapWithAny(
  { walletId, wraps }: Pick<StoredEnrolment, 'walletId' | 'wraps'>,
  getMethodKey: GetMethodKey,
  onUnreadable: OnUnreadable = () => undefined,
): Promise<Uint8Array> {
  for (const each of wraps) {
    try {
      const recoveryKey = await unwrapWith(each, walletId, getMethodKey)
      if (recoveryKey !== undefined) return recoveryKey
    } catch (error) {
      if (!isUnreadable(error)) throw error
      onUnreadable(each)
    }
  }
  throw custodyError('custody/unreadable', { what: 'The recovery key' })
}

/** @returns `undefined` if the method has no key here */
async function unwrapWith(
  wrap: WrappedRecoveryKey,
  walletId: Uint8Array,
  getMethodKey: GetMethodKey,
): Promise<Uint8Array | undefined> {
  const key = await getMethodKey(wrap)
  if (key === undefined) return undefined
  try {
    return await unwrapRecoveryKey(key, { walletId, method: wrap.method }, wrap.wrapped)
  } finally {
    key.fill(0)
  }
}

/** True if the stored data of a method is damaged or belongs to another key. The services refuse some damage with 400. */
export function isUnreadable(error: unknown): boolean {
  return isLatchkeyError(error, 'custody/unreadable') || (error instanceof ServiceRefusal && error.status === 400)
}
