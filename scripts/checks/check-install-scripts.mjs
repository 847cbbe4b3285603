import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { conclude, isMain } from '../lib/gate.mjs'
import { root } from '../lib/root.mjs'

/** @typedef {{ hasInstallScript?: boolean, link?: boolean }} LockEntry */

const installScripts = ['preinstall', 'install', 'postinstall']

/**
 * Checks that only approved packages run scripts during the installation. They would run with the rights of the
 * developer or of the build, before any test. `allowScripts` in package.json names the approved packages.
 *
 * @param {string} folder
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkInstallScripts(folder) {
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  const { allowScripts = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  /** @type {[string, LockEntry][]} */
  const entries = Object.entries(lock.packages)
  const found = await Promise.all(
    entries
      .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
      .map(async ([path, entry]) => ((await runsScript(folder, path, entry)) ? [nameOf(path)] : [])),
  )
  const names = new Set(found.flat())
  return {
    problems: [
      ...[...names]
        .filter((name) => allowScripts[name] !== true)
        .map((name) => `${name}: runs a script during installation. Review it, then add it to allowScripts.`),
      ...Object.keys(allowScripts)
        .filter((name) => !names.has(name))
        .map((name) => `${name}: allowScripts names it, but it runs no script. Remove it.`),
    ],
  }
}

/**
 * Asks the lockfile and the installed package, so that neither can hide a script from the other.
 *
 * @param {string} folder
 * @param {string} path
 * @param {LockEntry} entry
 */
async function runsScript(folder, path, { hasInstallScript = false }) {
  const text = await readFile(join(folder, path, 'package.json'), 'utf8').catch(() => '{}')
  const { scripts = {} } = JSON.parse(text)
  // npm compiles a package with this file unless it has an install script.
  const isCompiled = existsSync(join(folder, path, 'binding.gyp'))
  return hasInstallScript || isCompiled || installScripts.some((name) => name in scripts)
}

/** @param {string} path */
function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

if (isMain(import.meta.url)) conclude(await checkInstallScripts(root))
