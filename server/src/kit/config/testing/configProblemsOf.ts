import { isLatchkeyError } from '@latchkey/protocol'

/** Returns the problems for which a configuration is refused, none if it is valid. */
export function configProblemsOf(read: () => unknown): readonly string[] {
  try {
    read()
  } catch (error) {
    if (isLatchkeyError(error, 'config/invalid')) return error.context.problems
    throw error
  }
  return []
}
