// Finds or installs the system's Firefox for the tests.
import { findTool, installTool } from '../lib/tools.mjs'

/**
 * Returns the path of Firefox: `FIREFOX_PATH`, or the first of the usual names on the PATH.
 *
 * @returns {string | undefined}
 */
export function findFirefox() {
  return findTool('FIREFOX_PATH', ['firefox-esr', 'firefox'])
}

/**
 * Finds Firefox, or installs the system's package if permitted.
 *
 * @returns {string}
 * @throws {Error} with a sentence that explains how to install it.
 */
export function requireFirefox() {
  const found = findFirefox() ?? (installTool('firefox-esr') ? findFirefox() : undefined)
  if (found === undefined) {
    throw new Error(
      'The tests in Firefox need it. Install it (on Debian: apt-get install firefox-esr), or set FIREFOX_PATH to its program file.',
    )
  }
  return found
}
