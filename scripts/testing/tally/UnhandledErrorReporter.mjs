import { writeFileSync } from 'node:fs'

/** The environment variable with the path of the file that the reporter writes. */
export const outputVariable = 'LATCHKEY_UNHANDLED_ERRORS_FILE'

/**
 * A reporter for Vitest that writes the unhandled errors of a run to a file, as JSON. Vitest's own JSON report leaves them
 * out, and its log has them above the output of later test suites.
 */
export default class UnhandledErrorReporter {
  /**
   * @param {readonly unknown[]} _modules
   * @param {readonly { name?: string, message: string, stack?: string }[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const path = process.env[outputVariable]
    if (path === undefined) return
    writeFileSync(path, JSON.stringify(errors.map(({ name, message, stack }) => ({ name, message, stack }))))
  }
}
