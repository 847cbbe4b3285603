import { isLatchkeyError } from '@latchkey/protocol'
import type { LoginTexts } from '../../strings/login/texts.ts'
import type { Strings } from '../../strings/strings.ts'
import { describeFailure } from '../describeFailure.ts'

/** What the wallet says where it does not know itself [R8.2.8]. */
const unknown = /^(Request was aborted|Something went wrong|An error occurred)\.?$/

/** What happened to a login and what to do next, in words for the visitor. */
export function describeLogin(t: LoginTexts, strings: Strings, error: unknown): string {
  if (isLatchkeyError(error, 'embedded/cooldown')) return t.cooldown(error.context.seconds)
  if (isLatchkeyError(error, 'embedded/invalid-email')) return t.invalid
  // What was wrong with a code or an account only the service knows; its sentence says what to do.
  if (isLatchkeyError(error, 'embedded/failed')) {
    const { reason, said = reason } = error.context
    return unknown.test(reason) ? t.failed : said
  }
  if (isLatchkeyError(error, 'embedded/timeout')) return t.timeout
  if (isLatchkeyError(error, 'embedded/unreachable')) return t.unreachable
  if (isLatchkeyError(error, 'embedded/popup-closed')) return t.closed
  if (isLatchkeyError(error, 'connection/rejected') || isLatchkeyError(error, 'request/rejected')) return t.declined
  return describeFailure(strings, error)
}
