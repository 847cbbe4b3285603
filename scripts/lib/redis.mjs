// The Redis of the tests: the system's program, found or installed.
import { findTool, installTool } from './tools.mjs'

/**
 * Where Redis is: `REDIS_SERVER_PATH`, or `redis-server` on the PATH.
 *
 * @returns {string | undefined}
 */
function findRedis() {
  return findTool('REDIS_SERVER_PATH', ['redis-server'])
}

/**
 * Finds Redis, or installs the system's package where that is allowed.
 *
 * @returns {string}
 * @throws {Error} with a sentence that says how to get one.
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
