import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { conclude, isMain } from '../lib/gate.mjs'
import { root } from '../lib/root.mjs'

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Unlicense',
])

/**
 * Development tools under other licences, each with the reason why this is acceptable. Published packages must not
 * depend on them.
 *
 * @type {Record<string, string>} by package name
 */
const devExceptions = {
  ...Object.fromEntries(
    ['lib', 'swap-router-contracts', 'v2-core', 'v2-periphery', 'v3-core', 'v3-periphery'].map((name) => [
      `@uniswap/${name}`,
      'Contracts that the local world deploys on its own chains from their installed packages; not part of any package.',
    ]),
  ),
  '@azu/style-format': 'Permissive (WTFPL); textlint formats its terminal output with it.',
  'deep-freeze-strict': 'Public domain; a dependency of the permission handlers of MetaMask, against which we test.',
  eyes: 'Permissive (MIT, by its LICENSE file); a dependency of web3.js 1, with which a test app migrates.',
  'rpc-websockets':
    'LGPL-3.0; a dependency of web3.js 1, which apps with Solana have and a test app uses. No package contains it.',
  'text-encoding-utf-8':
    'Public domain (by its LICENSE file); a dependency of web3.js 1, with which a test app migrates.',
  argparse: 'Permissive (Python-2.0); the parser of the prose check reads YAML with it.',
  'caniuse-lite':
    'Data about browsers (CC-BY-4.0); a library of the mutation tests reads it. It is not part of any package.',
  'make-plural': 'Permissive (Unicode-DFS-2016); the message compiler reads plural rules from it.',
  pako: 'Permissive (MIT and Zlib); the driver of WebKit in our tests unpacks archives with it.',
  spawndamnit: 'Permissive (MIT, by its LICENSE file); changesets runs git with it.',
  'valid-url':
    'Permissive (MIT, by its LICENSE file); a dependency of the permission handlers of MetaMask, against which we test.',
  'spdx-exceptions': 'A list of licence names (CC-BY-3.0) that a development tool reads.',
}

/**
 * Wallet packages whose licence requires the vendor's network. The first match by name counts; `lastFree` is the last
 * version without that licence, or 'none'.
 *
 * @type {readonly { name: RegExp, lastFree: string }[]}
 */
const vendorLicensed = [
  { name: /^@reown\/walletkit$/, lastFree: '1.2.10' },
  { name: /^@reown\//, lastFree: 'none' },
  { name: /^@web3modal\//, lastFree: 'none' },
  { name: /^@walletconnect\//, lastFree: '2.21.8' },
]

/** @typedef {{ version?: string, license?: string, dev?: boolean, devOptional?: boolean, link?: boolean }} LockEntry */
/** @typedef {{ name: string, version: string, licence: string | undefined, isDev: boolean }} Dependency */

/**
 * Checks the licence of every package in the lockfile of a folder.
 *
 * @param {string} folder
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkLicences(folder) {
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  /** @type {[string, LockEntry][]} */
  const entries = Object.entries(lock.packages)
  const dependencies = await Promise.all(
    entries
      .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
      .map(([path, entry]) => readDependency(folder, path, entry)),
  )
  return { problems: dependencies.flatMap(faultOf), report: reportOn(dependencies) }
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {LockEntry} entry
 * @returns {Promise<Dependency>}
 */
async function readDependency(folder, path, entry) {
  return {
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version ?? '0.0.0',
    licence: (await installedLicence(join(folder, path))) ?? entry.license,
    // npm marks a package that both a linked workspace and a tool use as "devOptional". It is shipped, so it is not a
    // tool.
    isDev: entry.dev === true,
  }
}

/**
 * Returns the licence that an installed package declares, in the current or the old form. Binaries for other platforms
 * are not installed; the lockfile declares theirs.
 *
 * @param {string} folder
 * @returns {Promise<string | undefined>}
 */
async function installedLicence(folder) {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { license, licenses } = JSON.parse(text)
  if (typeof license === 'string') return license
  if (typeof license?.type === 'string') return license.type
  if (Array.isArray(licenses)) return licenses.map(({ type }) => type).join(' OR ')
  return undefined
}

/**
 * @param {Dependency} dependency
 * @returns {string[]}
 */
function faultOf({ name, version, licence, isDev }) {
  const vendor = vendorLicensed.find((family) => family.name.test(name))
  if (vendor !== undefined && (vendor.lastFree === 'none' || isNewer(version, vendor.lastFree))) {
    return [`${name}@${version}: its licence requires the vendor's network (last free version: ${vendor.lastFree})`]
  }
  if (isDev && name in devExceptions) return []
  if (licence === undefined) return [`${name}@${version}: declares no licence`]
  if (isFree(licence)) return []
  return [`${name}@${version}: the licence '${licence}' is not allowed`]
}

/**
 * True if an SPDX expression offers a choice in which every licence is allowed.
 *
 * @param {string} expression such as `(MIT OR GPL-3.0-only) AND ISC`
 */
export function isFree(expression) {
  const words = expression.match(/[()]|[^\s()]+/g) ?? []
  let next = 0

  /** @returns {boolean} */
  function either() {
    let free = both()
    while (words[next] === 'OR') {
      next += 1
      free = both() || free
    }
    return free
  }
  /** @returns {boolean} */
  function both() {
    let free = one()
    while (words[next] === 'AND') {
      next += 1
      free = one() && free
    }
    return free
  }
  /** @returns {boolean} */
  function one() {
    const word = words[next] ?? ''
    next += 1
    if (word !== '(') return allowed.has(word)
    const free = either()
    const isClosed = words[next] === ')'
    next += 1
    return free && isClosed
  }
  return either() && next === words.length
}

/**
 * True if a version is newer than another. A prerelease counts as its release.
 *
 * @param {string} version
 * @param {string} than
 */
function isNewer(version, than) {
  const [numbers, others] = [version, than].map((text) => text.split(/[-+]/, 1).join('').split('.').map(Number))
  const differing = [0, 1, 2].find((place) => numbers?.[place] !== others?.[place])
  return differing !== undefined && (numbers?.[differing] ?? 0) > (others?.[differing] ?? 0)
}

/** @param {readonly Dependency[]} dependencies */
function reportOn(dependencies) {
  /** @param {boolean} isDev */
  const list = (isDev) => {
    const licences = dependencies
      .filter((dependency) => dependency.isDev === isDev)
      .map(({ licence }) => licence ?? 'none')
    const counts = [...new Set(licences)]
      .toSorted()
      .map((one) => `${one} ${licences.filter((it) => it === one).length}`)
    return `${licences.length} packages: ${counts.join(', ')}`
  }
  return `shipped or run      ${list(false)}\nfor development     ${list(true)}`
}

if (isMain(import.meta.url)) conclude(await checkLicences(root))
