import { isLatchkeyError } from '@latchkey/protocol'
import type { Strings } from '../strings/strings.ts'

/** What happened and what to do next, in words for the visitor; never a code, never the thrown text. */
export function describeFailure({ errors }: Strings, error: unknown): string {
  return (isLatchkeyError(error) ? errors[error.code] : undefined) ?? errors.other
}
