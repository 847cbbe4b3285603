import { toRequestError } from '@latchkey/adapter-kit'
import type { LatchkeyError } from '@latchkey/protocol'

/** Extensions throw no codes. A declined request has one of these words in its message. */
const rejectionPattern = /reject|denied|declin|cancel|not allowed to interact/i

/** Translates an error that an extension threw. */
export function toExtensionError(method: string, error: unknown): LatchkeyError {
  return toRequestError(method, error, { rejectionPattern })
}
