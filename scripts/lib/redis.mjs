// Finds or installs the system's Redis for the tests.
import { findTool, installTool } from './tools.mjs'

/**
 * Returns the path of Redis: `REDIS_SERVER_PATH`, or `redis-server` on the PATH.
 *
 * @returns {string | undefined}
 */
function findRedis() {
  return findTool('REDIS_SERVER_PATH', ['redis-server'])
}

/**
 * Finds Redis, or installs the system's package if permitted.
 *
 * @returns {string}
 * @throws {Error} with a sentence that explains how to install it.
 */
export function requireRedis() {
  const found = findRedis() ?? (installTool('redis-server') ? findRedis() : undefined)
  if (found === undefined) {
    throw new Error(
      'The tests of several relay processes need Redis. Install it (on Debian: apt-get install redis-server; elsewhere: brew install redis), or set REDIS_SERVER_PATH to its program file.',
    )
  }
  return found
}
