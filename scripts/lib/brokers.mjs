// Finds or installs the system's Redis and NATS for the tests.
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

/**
 * Returns the path of NATS: `NATS_SERVER_PATH`, or `nats-server` on the PATH. Debian installs it among the system
 * programs, which are not on the PATH of every user.
 *
 * @returns {string | undefined}
 */
function findNats() {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin`
  return findTool('NATS_SERVER_PATH', ['nats-server'], { ...process.env, PATH: path })
}

/**
 * Finds NATS, or installs the system's package if permitted.
 *
 * @returns {string}
 * @throws {Error} with a sentence that explains how to install it.
 */
export function requireNats() {
  const found = findNats() ?? (installTool('nats-server') ? findNats() : undefined)
  if (found === undefined) {
    throw new Error(
      'The tests of the relay on NATS need its server. Install it (on Debian: apt-get install nats-server; elsewhere: brew install nats-server), or set NATS_SERVER_PATH to its program file.',
    )
  }
  return found
}
