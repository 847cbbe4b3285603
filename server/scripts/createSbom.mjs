// node server/scripts/createSbom.mjs FILE: writes the list of the packages that the server runs with (CycloneDX 1.5).
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} LockEntry
 * @property {string} [name]
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {string} [resolved] the folder of a link
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 *
 * @typedef {{ packages: Record<string, LockEntry> }} Lockfile
 * @typedef {{ path: string, entry: LockEntry, isOptional: boolean, dependsOn: string[] }} Found
 */

/**
 * Creates the list of the packages that a workspace runs with, from the lockfile: what Node.js would load, without what only tests and
 * builds use. `npm sbom --omit=dev` leaves out packages that another workspace uses for development as well.
 *
 * The result has no time and no random number, so that the same lockfile gives the same file.
 *
 * @param {Lockfile} lockfile
 * @param {string} workspace its folder
 */
export function createSbom({ packages }, workspace) {
  const root = packages[workspace]
  if (root === undefined) throw new Error(`The lockfile has no workspace ${workspace}.`)
  const found = findPackages(packages, workspace)
  const refOf = (/** @type {string} */ path) => referenceOf(path, packages[path])
  /** A package may be in several folders. @type {Map<string, Set<string>>} */
  const dependencies = new Map()
  /** @type {Map<string, ReturnType<typeof toComponent>>} */
  const components = new Map()
  for (const { path, entry, isOptional, dependsOn } of found.values()) {
    const ref = refOf(path)
    dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...dependsOn.map(refOf)]))
    const isKnown = components.get(ref)?.scope === 'required'
    if (path !== workspace && !isKnown) components.set(ref, toComponent(path, entry, isOptional))
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: toComponent(workspace, root, false) },
    components: [...components.values()].toSorted((one, other) => compareText(one['bom-ref'], other['bom-ref'])),
    dependencies: [...dependencies]
      .map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].toSorted(compareText) }))
      .toSorted((one, other) => compareText(one.ref, other.ref)),
  }
}

/** Compares by code units, so that the order does not depend on the language of the machine. @param {string} one @param {string} other */
function compareText(one, other) {
  return one < other ? -1 : Number(one > other)
}

/**
 * @param {Lockfile['packages']} packages
 * @param {string} workspace
 * @returns {ReadonlyMap<string, Found>} by path
 */
function findPackages(packages, workspace) {
  /** @type {Map<string, Found>} */
  const found = new Map()
  /** @type {[path: string, isOptional: boolean][]} */
  const queue = [[workspace, false]]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [path, isOptional] = next
    const entry = packages[path]
    const known = found.get(path)
    if (entry === undefined || (known !== undefined && (isOptional || !known.isOptional))) continue
    const { dependencies = {}, optionalDependencies = {} } = entry
    const needed = resolveAll(packages, path, { ...requiredPeers(entry), ...dependencies })
    const optional = resolveAll(packages, path, optionalDependencies)
    found.set(path, { path, entry, isOptional, dependsOn: [...needed, ...optional] })
    for (const each of needed) queue.push([each, isOptional])
    for (const each of optional) queue.push([each, true])
  }
  return found
}

/** Optional peers are not installed for a package. @param {LockEntry} entry */
function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.fromEntries(
    Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional !== true),
  )
}

/**
 * Finds the installed packages of names. An optional package may be missing.
 *
 * @param {Lockfile['packages']} packages
 * @param {string} from
 * @param {Record<string, string>} names
 */
function resolveAll(packages, from, names) {
  return Object.keys(names).flatMap((name) => resolvePackage(packages, from, name) ?? [])
}

/**
 * Finds a package as Node.js does: in the folder of the one that loads it, then in those above.
 *
 * @param {Lockfile['packages']} packages
 * @param {string} from
 * @param {string} name
 */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = folder.includes('/') ? dirname(folder) : '') {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const entry = packages[path]
    if (entry !== undefined) return entry.link === true ? entry.resolved : path
    if (folder === '') return undefined
  }
}

/** @param {string} path @param {LockEntry | undefined} entry */
function packageName(path, entry) {
  return entry?.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** @param {string} path @param {LockEntry | undefined} entry */
function referenceOf(path, entry) {
  return `pkg:npm/${packageName(path, entry).replace('@', '%40')}@${entry?.version}`
}

/** @param {string} path @param {LockEntry} entry @param {boolean} isOptional */
function toComponent(path, entry, isOptional) {
  const [, group, name = ''] = /^(?:(@[^/]+)\/)?(.+)$/.exec(packageName(path, entry)) ?? []
  const reference = referenceOf(path, entry)
  const { version = '', license, integrity } = entry
  return {
    type: 'library',
    'bom-ref': reference,
    ...(group !== undefined && { group }),
    name,
    version,
    scope: isOptional ? 'optional' : 'required',
    ...(integrity !== undefined && { hashes: integrity.split(' ').map(toHash) }),
    ...(license !== undefined && { licenses: [toLicense(license)] }),
    purl: reference,
  }
}

/** @param {string} integrity a hash as npm writes it */
function toHash(integrity) {
  const [algorithm = '', content = ''] = integrity.split('-')
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(content, 'base64').toString('hex'),
  }
}

/** @param {string} license an SPDX id or expression */
function toLicense(license) {
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } }
}

const [, script, file] = process.argv
if (script === fileURLToPath(import.meta.url) && file !== undefined) {
  const lockfile = new URL('../../package-lock.json', import.meta.url)
  const sbom = createSbom(JSON.parse(await readFile(lockfile, 'utf8')), 'server')
  await mkdir(dirname(resolve(file)), { recursive: true })
  await writeFile(file, `${JSON.stringify(sbom, undefined, 2)}\n`)
}
