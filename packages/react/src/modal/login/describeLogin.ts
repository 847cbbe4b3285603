import { isLatchkeyError } from '@latchkey/protocol'
import type { LoginMessages } from '@latchkey/modal/messages'
import type { Strings } from '../../messages/strings.ts'
import { describeFailure } from '../describeFailure.ts'

/** Messages of the wallet that don't explain the failure [R8.2.8]. */
const unknown = /^(Request was aborted|Something went wrong|An error occurred)\.?$/

/** Returns what happened to a login and what to do next, in the user's language. */
export function describeLogin(t: LoginMessages, strings: Strings, error: unknown): string {
  if (isLatchkeyError(error, 'embedded/cooldown')) return t.cooldown({ seconds: error.context.seconds })
  if (isLatchkeyError(error, 'embedded/invalid-email')) return t.invalid
  // Only the service knows what was wrong with a code or an account. Its message says what to do.
  if (isLatchkeyError(error, 'embedded/failed')) {
    const { reason, localizedMessage = reason } = error.context
    return unknown.test(reason) ? t.failed : localizedMessage
  }
  if (isLatchkeyError(error, 'embedded/timeout')) return t.timeout
  if (isLatchkeyError(error, 'embedded/unreachable')) return t.unreachable
  if (isLatchkeyError(error, 'embedded/unsigned')) return t.unsigned
  if (isLatchkeyError(error, 'embedded/popup-closed')) return t.closed
  if (isLatchkeyError(error, 'connection/rejected') || isLatchkeyError(error, 'request/rejected')) return t.declined
  return describeFailure(strings, error)
}
