import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { conclude, isMain } from '../lib/gate.mjs'
import { packPackage } from '../lib/packPackage.mjs'
import { hashFiles, openPassedInputs, readRules } from '../lib/passedInputs.mjs'
import { root } from '../lib/root.mjs'

const run = promisify(execFile)
/** Programs parse the output, so it must have no colours. */
const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
const neverPublished = /\.(test|spec)\.|tsbuildinfo$/
const typeOptions = ['--profile', 'esm-only', '--no-definitely-typed', '--no-color', '--no-emoji', '--format', 'ascii']

/**
 * Packs every package as it is published and checks the archive with publint and "Are the types wrong?". Requires
 * the build.
 *
 * @param {string} folder the repository
 * @param {import('../lib/passedInputs.mjs').PassedInputs} [passed] packages that passed before are skipped
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkShape(folder, passed) {
  const target = await mkdtemp(join(tmpdir(), 'latchkey-shape-'))
  try {
    const packages = await readdir(join(folder, 'packages'))
    const problems = await Promise.all(
      packages.map(async (name) => {
        const contents = contentsOf(folder, name)
        if (passed?.has(name, ...contents) === true) return []
        const found = await problemsOf(folder, join('packages', name), target)
        if (found.length === 0) passed?.add(name, ...contents)
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
 * Hashes the files that a package publishes, and those of the package that others include.
 *
 * @param {string} folder
 * @param {string} name
 */
function contentsOf(folder, name) {
  return [name, 'adapter-kit'].flatMap((each) => {
    const path = join(folder, 'packages', each)
    return [
      ...['package.json', 'README.md'].map((file) => readIfPresent(join(path, file))),
      hashFiles(join(path, 'dist')),
    ]
  })
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
  const judgements = await Promise.all([
    complaintOf('publint/src/cli.js', ['run', archive, '--strict']),
    complaintOf('@arethetypeswrong/cli/dist/index.js', [archive, ...typeOptions]),
  ])
  return [
    ...findCaseCollisions(files.map((file) => file.path)).map((pair) => `${path} would publish ${pair}`),
    ...files.filter((file) => neverPublished.test(file.path)).map((file) => `${path} would publish ${file.path}`),
    ...judgements.filter((complaint) => complaint !== undefined).map((complaint) => `${path}: ${complaint}`),
  ]
}

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
 * Runs a checker and returns its output if it fails.
 *
 * @param {string} judge path of the checker below node_modules
 * @param {readonly string[]} args
 * @returns {Promise<string | undefined>}
 */
async function complaintOf(judge, args) {
  try {
    await run(process.execPath, [join(root, 'node_modules', judge), ...args], { maxBuffer: 16e6, env })
    return undefined
  } catch (error) {
    // The rejection of execFile contains the output of the program.
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error)
    return `${stdout}${stderr}`.trim()
  }
}

if (isMain(import.meta.url)) {
  const modules = ['checks/check-shape', 'lib/packPackage', 'lib/bundlePackage', 'lib/chunkGroups']
  const rules = readRules(
    root,
    modules.map((name) => `scripts/${name}.mjs`),
  )
  conclude(await checkShape(root, openPassedInputs(join(root, '.latchkey/checks/shape.json'), rules)))
}
