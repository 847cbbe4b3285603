// System programs that the project needs in addition to Node.js.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds a program: by the path in an environment variable, or else by name on the PATH.
 *
 * @param {string} variable
 * @param {readonly string[]} names
 * @param {Readonly<Record<string, string | undefined>>} [environment]
 * @returns {string | undefined}
 * @throws {Error} if the variable does not name a program; the PATH is not used then.
 */
export function findTool(variable, names, environment = process.env) {
  const named = environment[variable]
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new Error(`${variable} names "${named}", which is not an executable program.`)
  }
  const folders = (environment['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/**
 * Installs a system package if apt-get exists and we have the permission.
 *
 * @param {string} name
 * @returns {boolean} true if it was installed
 */
export function installTool(name) {
  const isRoot = process.getuid?.() === 0
  const aptGet = findTool('APT_GET_PATH', ['apt-get'])
  if (!isRoot || aptGet === undefined) return false
  console.log(`Installing ${name} with apt-get …`)
  return (
    runAptGet(aptGet, ['update', '-qq']) && runAptGet(aptGet, ['install', '-y', '-qq', '--no-install-recommends', name])
  )
}

/** Tests in several processes install packages, and so may the system itself. */
const lockAttempts = 120

/**
 * Runs apt-get. Waits while another process holds its lock, for ten minutes at most.
 *
 * @param {string} aptGet
 * @param {readonly string[]} args
 * @param {number} [pauseMs] the time between two attempts, in milliseconds
 * @returns {boolean} true if it succeeded
 */
export function runAptGet(aptGet, args, pauseMs = 5_000) {
  // The message about the lock must be in English.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  for (let attempt = 1; ; attempt += 1) {
    const { status, stderr } = spawnSync(aptGet, args, { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
    if (status === 0) return true
    if (attempt === lockAttempts || !/could not get lock|unable to (?:lock|acquire)/i.test(stderr)) {
      console.error(stderr)
      return false
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
