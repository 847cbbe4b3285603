import { isLatchkeyError } from '@latchkey/protocol'

/** What a reader makes of the other side's words; nothing when they are `session/invalid`. */
export function readable<read>(reader: () => read): read | undefined {
  try {
    return reader()
  } catch (error) {
    if (isLatchkeyError(error, 'session/invalid')) return undefined
    throw error
  }
}
