import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/**
 * Installs what the lockfile says, unless that is there already. Synchronous, because nothing can be done meanwhile.
 *
 * @throws {Error} with the last lines of npm when it fails.
 */
export function installPackages() {
  const wanted = readPackages('package-lock.json')
  const installed = readPackages('node_modules/.package-lock.json')
  if (installed !== undefined && isInStep(wanted ?? {}, installed)) return
  console.log('Installing packages, which takes a minute the first time …')
  // The build needs development packages, also where the environment says "production".
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  const lastLines = `${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n')
  throw new Error(`npm ${args.join(' ')} failed: ${error?.message ?? lastLines}`)
}

/** @typedef {{ version?: string, resolved?: string, link?: boolean, optional?: boolean }} LockedPackage */

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}

/**
 * Whether what npm noted about its last install is what the lockfile says: packages for other systems are left out.
 *
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} installed
 */
export function isInStep(wanted, installed) {
  return Object.entries(wanted).every(([path, { version, link, optional }]) => {
    const there = installed[path]
    if (path === '') return true
    return there === undefined ? optional === true : there.version === version && there.link === link
  })
}
