import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/**
 * Installs the packages of the lockfile unless they are installed. Synchronous, because everything else needs the
 * packages.
 *
 * @throws {Error} with the last lines of npm's output if the installation fails.
 */
export function installPackages() {
  const wanted = readPackages('package-lock.json')
  const installed = readPackages('node_modules/.package-lock.json')
  if (installed !== undefined && isInStep(wanted ?? {}, installed)) return
  console.log('Installing packages, which takes a minute the first time …')
  // The build needs development packages, even if NODE_ENV is "production".
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  // npm shows its progress on a terminal.
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = process.stderr.isTTY ? ['ignore', 'pipe', 'inherit'] : 'pipe'
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', stdio })
  if (status === 0) return
  const lastLines = `${stdout}\n${stderr ?? ''}`.trim().split('\n').slice(-20).join('\n')
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
 * True if npm's record of its last installation matches the lockfile. Ignores packages for other systems.
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
