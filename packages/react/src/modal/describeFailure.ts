import { isLatchkeyError, type ErrorCode } from '@latchkey/protocol'
import type { Strings } from '../messages/strings.ts'

/** Returns what happened and what to do next, in the user's language. Codes and thrown texts are never shown. */
export function describeFailure({ errors }: Strings, error: unknown): string {
  const texts: { readonly [code in ErrorCode]?: string } = errors
  return (isLatchkeyError(error) ? texts[error.code] : undefined) ?? errors.other
}
