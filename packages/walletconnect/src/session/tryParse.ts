import { isLatchkeyError } from '@latchkey/protocol'

/** Runs a parser. Returns `undefined` if it throws `session/invalid`. */
export function tryParse<parsed>(parse: () => parsed): parsed | undefined {
  try {
    return parse()
  } catch (error) {
    if (isLatchkeyError(error, 'session/invalid')) return undefined
    throw error
  }
}
