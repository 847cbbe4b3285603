// Programs of the system that the project needs beside Node.js.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Looks for a program: at the path in a variable of the environment first, then by name on the PATH.
 *
 * @param {string} variable
 * @param {readonly string[]} names
 * @param {Readonly<Record<string, string | undefined>>} [environment]
 * @returns {string | undefined}
 * @throws {Error} when the variable names no program, rather than taking another one in its place.
 */
export function findTool(variable, names, environment = process.env) {
  const named = environment[variable]
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new Error(`${variable} names "${named}", which is no program that can be run.`)
  }
  const folders = (environment['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/**
 * Installs a package of the system, where there is apt-get and we may.
 *
 * @param {string} name
 * @returns {boolean} whether it was installed
 */
export function installTool(name) {
  const isRoot = process.getuid?.() === 0
  const aptGet = findTool('APT_GET_PATH', ['apt-get'])
  if (!isRoot || aptGet === undefined) return false
  console.log(`Installing ${name} with apt-get …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name],
  ]) {
    if (spawnSync(aptGet, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) return false
  }
  return true
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
