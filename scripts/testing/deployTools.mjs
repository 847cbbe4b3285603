// Finds or installs the programs that check the files in deploy/.
import { findTool, installTool } from '../lib/tools.mjs'

/** Debian's packages by the program that the tests run. */
const packages = /** @type {const} */ ({
  prometheus: 'prometheus',
  promtool: 'prometheus',
  haproxy: 'haproxy',
  nginx: 'nginx',
  caddy: 'caddy',
})

/**
 * Finds a program, or installs the system's package if permitted. Debian installs some among the system programs, which are
 * not on the PATH of every user.
 *
 * @param {keyof typeof packages} name
 * @returns {string}
 * @throws {Error} with a sentence that explains how to install it.
 */
export function requireDeployTool(name) {
  const variable = `${name.toUpperCase()}_PATH`
  const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }
  const find = () => findTool(variable, [name], environment)
  const found = find() ?? (installTool(packages[name]) ? find() : undefined)
  if (found !== undefined) return found
  throw new Error(
    `The tests of deploy/ need ${name}. Install it (on Debian: apt-get install ${packages[name]}), or set ${variable} to its program file.`,
  )
}
