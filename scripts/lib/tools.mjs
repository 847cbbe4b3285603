// Programs of the system that the project needs beside Node.js.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Looks for a program: at the path in a variable of the environment first, then by name on the PATH.
 *
 * @param {string} variable
 * @param {readonly string[]} names
 * @returns {string | undefined}
 */
export function findTool(variable, names) {
  const named = process.env[variable]
  if (named !== undefined && named !== '') return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
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
  if (!isRoot || findTool('', ['apt-get']) === undefined) return false
  console.log(`Installing ${name} with apt-get …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name],
  ]) {
    if (spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) return false
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
