import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { problemAffectsResolutionKind, problemKindInfo } from '@arethetypeswrong/core/problems'
import { conclude, isMain } from '../lib/gate.mjs'
import { packPackage } from '../lib/packPackage.mjs'
import { hashFiles, openPassedInputs, readRules } from '../lib/passedInputs.mjs'
import { root } from '../lib/root.mjs'
import { findBrokenLinks } from '../release/linkReadme.mjs'

const run = promisify(execFile)
/** Programs parse the output, so it must have no colours. */
const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
const neverPublished = /\.(test|spec)\.|tsbuildinfo$/
/** The ways to resolve a module that the packages support: they are ES modules. */
const resolutions = /** @type {const} */ (['node16-esm', 'bundler'])

/**
 * Packs every package as it is published and checks the archive with publint and "Are the types wrong?", and for a licence,
 * keywords, links that lead somewhere, and ranges of dependencies. Requires the build.
 *
 * @param {string} folder the repository
 * @param {import('../lib/passedInputs.mjs').PassedInputs} [passed] packages that passed before are skipped
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkShape(folder, passed) {
  const target = await mkdtemp(join(tmpdir(), 'latchkey-shape-'))
  try {
    const problems = await Promise.all(
      (await listPublished(folder)).map(async (path) => {
        const contents = contentsOf(folder, path)
        if (passed?.has(path, ...contents) === true) return []
        const found = await problemsOf(folder, path, target)
        if (found.length === 0) passed?.add(path, ...contents)
        return found
      }),
    )
    passed?.save()
    return { problems: problems.flat() }
  } finally {
    await rm(target, { recursive: true })
  }
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} the paths of the packages
 */
async function listPublished(folder) {
  const packages = (await readdir(join(folder, 'packages'))).map((name) => `packages/${name}`)
  return [...packages, 'server', 'devnet'].filter((path) => existsSync(join(folder, path, 'package.json')))
}

/**
 * Hashes the files that a package publishes, and those of the package that others include.
 *
 * @param {string} folder
 * @param {string} path
 */
function contentsOf(folder, path) {
  return [path, 'packages/adapter-kit'].flatMap((each) => [
    ...['package.json', 'README.md', 'LICENSE'].map((file) => readIfPresent(join(folder, each, file))),
    hashFiles(join(folder, each, 'dist')),
  ])
}

/** @param {string} file */
const readIfPresent = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/**
 * @param {string} folder
 * @param {string} path
 * @param {string} target
 * @returns {Promise<string[]>}
 */
async function problemsOf(folder, path, target) {
  const { archive, files } = await packPackage(join(folder, path), target)
  const complaint = await findPublishProblems(archive)
  return [
    ...findCaseCollisions(files.map((file) => file.path)).map((pair) => `${path} would publish ${pair}`),
    ...files.filter((file) => neverPublished.test(file.path)).map((file) => `${path} would publish ${file.path}`),
    ...(await findGaps(archive, files)).map((gap) => `${path} ${gap}`),
    ...(complaint === undefined ? [] : [`${path}: ${complaint}`]),
    ...(await findTypeProblems(archive)).map((problem) => `${path}: ${problem}`),
  ]
}

/**
 * Finds what npm does not ask for, but users of a package do.
 *
 * @param {string} archive
 * @param {readonly { path: string }[]} files
 * @returns {Promise<string[]>}
 */
async function findGaps(archive, files) {
  const paths = files.map((file) => file.path)
  const readPacked = async (/** @type {string} */ path) =>
    (await run('tar', ['-xzOf', archive, `package/${path}`])).stdout
  /** @type {{ keywords?: string[], dependencies?: Versions, optionalDependencies?: Versions }} */
  const { keywords = [], dependencies, optionalDependencies } = JSON.parse(await readPacked('package.json'))
  const exact = Object.entries({ ...dependencies, ...optionalDependencies })
    // Our packages have one version.
    .filter(([name, range]) => !name.startsWith('@latchkey/') && !range.startsWith('^'))
  const readme = paths.includes('README.md') ? await readPacked('README.md') : ''
  return [
    ...(paths.includes('LICENSE') ? [] : ['would publish no LICENSE']),
    ...(keywords.length > 0 ? [] : ['has no keywords in its package.json']),
    ...exact.map(([name, range]) => `depends on ${name} ${range}: use a range (^), so that apps get no second copy`),
    ...findBrokenLinks(readme, paths).map(
      (target) => `would publish a README that links to ${target}, which is not packed`,
    ),
  ]
}

/** @typedef {Record<string, string>} Versions */

/**
 * Finds paths that are one file on file systems that ignore case, as those of macOS and Windows do.
 *
 * @param {readonly string[]} paths
 * @returns {string[]} the colliding paths of each file or folder, such as `dist/Legal.js and dist/legal.js`
 */
export function findCaseCollisions(paths) {
  /** @type {Map<string, Set<string>>} */
  const spellings = new Map()
  for (const path of paths) {
    const parts = path.split('/')
    for (const [index] of parts.entries()) {
      const part = parts.slice(0, index + 1).join('/')
      const known = spellings.get(part.toLowerCase()) ?? new Set()
      spellings.set(part.toLowerCase(), known.add(part))
    }
  }
  return [...spellings.values()].filter(({ size }) => size > 1).map((each) => [...each].toSorted().join(' and '))
}

/**
 * Asks "Are the types wrong?". All packages are checked in one process, which loads TypeScript once.
 *
 * @param {string} archive
 * @returns {Promise<string[]>}
 */
async function findTypeProblems(archive) {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(archive)))
  if (analysis.types === false) return []
  const found = analysis.problems.filter((problem) =>
    resolutions.some((resolution) => problemAffectsResolutionKind(problem, resolution, analysis)),
  )
  const describe = (/** @type {(typeof found)[number]} */ problem) => {
    const facts = JSON.stringify(problem, (key, value) => (key === 'trace' ? undefined : value))
    return `${problemKindInfo[problem.kind].title}: ${facts}`
  }
  return [...new Set(found.map(describe))]
}

/**
 * Runs publint and returns its output if it fails.
 *
 * @param {string} archive
 * @returns {Promise<string | undefined>}
 */
async function findPublishProblems(archive) {
  try {
    const publint = join(root, 'node_modules/publint/src/cli.js')
    await run(process.execPath, [publint, 'run', archive, '--strict'], { maxBuffer: 16e6, env })
    return undefined
  } catch (error) {
    // The rejection of execFile contains the output of the program.
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error)
    return `${stdout}${stderr}`.trim()
  }
}

if (isMain(import.meta.url)) {
  const modules = [
    'checks/check-shape',
    'lib/packPackage',
    'lib/bundlePackage',
    'lib/chunkGroups',
    'release/linkReadme',
  ]
  const rules = readRules(
    root,
    modules.map((name) => `scripts/${name}.mjs`),
  )
  conclude(await checkShape(root, openPassedInputs(join(root, '.latchkey/checks/shape.json'), rules)))
}
