import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { requireHeadlessChromium } from './lib/chromium.mjs'
import { findFirefox, requireFirefox } from './testing/firefox.mjs'
import { installPackages } from './lib/install.mjs'
import { requireNats, requireRedis } from './lib/brokers.mjs'
import { root } from './lib/root.mjs'
import { findWebKit, requireWebKit } from './testing/webkit.mjs'
import { formatCases, listResults } from './testing/cases/formatCases.mjs'
import { findTaggedFiles } from './testing/findTaggedFiles.mjs'
import { longRuns } from './testing/longRuns.mjs'
import { createMarkedRunner } from './testing/runMarked.mjs'
import { outputVariable } from './testing/tally/UnhandledErrorReporter.mjs'
import {
  createFailure,
  lastLine,
  sumTallies,
  tallyGates,
  tallyPlaywright,
  tallyVitest,
} from './testing/tally/testTally.mjs'

// On a fresh clone, packages are missing until the installation below, so nothing above imports any.

/** @typedef {import('./testing/tally/testTally.mjs').Tally} Tally */
/** @typedef {'paths' | 'variants' | 'long' | 'firefox' | 'firefox-forced-colors' | 'webkit' | 'firefox-smoke' | 'webkit-smoke'} Project */
/** @typedef {import('./testing/cases/formatCases.mjs').Result} Result */
/** @typedef {{ reports: string, runner: import('./testing/runMarked.mjs').MarkedRunner, seeds: string, results: Result[] }} Context */

const suites = {
  check: runCheck,
  unit: runUnit,
  mutants: () => runMutants('named'),
  e2e: (/** @type {Context} */ context) => runE2e(['paths', ...findSmokeProjects()], context),
  abuse: runAbuse,
  browsers: runBrowsers,
  faults: runFaults,
  grown: runGrown,
}
/** Long test runs have their own commands: `npm run test:faults`, `test:abuse`, `test:browsers` and `test:grown`. */
const usual = ['check', 'unit', 'mutants', 'e2e']

/**
 * Installs what is missing and runs all tests.
 *
 * @param {readonly (keyof typeof suites)[]} names the parts to run
 * @param {Context} context
 * @returns {Promise<Tally>}
 */
async function runTests(names, context) {
  const prepared = await runPart(async () => {
    installPackages()
    requireHeadlessChromium()
    requireRedis()
    process.env['NATS_SERVER_PATH'] = requireNats()
    return sumTallies([])
  })
  if (prepared.failed > 0) return prepared
  const tallies = []
  // While the checks run. A test that needs a program waits for it, and tries again if it could not be installed.
  if (names.includes('unit')) {
    void context.runner.run(process.execPath, ['devnet/scripts/installPrograms.mjs'], { cwd: root })
  }
  for (const name of names) tallies.push(await runPart(() => suites[name](context)))
  return sumTallies([...tallies, await endLeftovers(context)])
}

/**
 * Counts a crash as a failure.
 *
 * @param {() => Promise<Tally>} part
 * @returns {Promise<Tally>}
 */
async function runPart(part) {
  try {
    return await part()
  } catch (error) {
    return createFailure(error instanceof Error ? error.message : String(error))
  }
}

/** @returns {Promise<Tally>} */
async function runCheck() {
  const { gates, runGates } = await import('./check.mjs')
  return tallyGates(await runGates(gates, { cwd: root, print: console.log }))
}

/**
 * @param {Context} context
 * @returns {Promise<Tally>}
 */
function runUnit(context) {
  const filter = longRuns.map((tag) => `!${tag}`).join(' && ')
  const isChosen = (/** @type {readonly string[]} */ tags) => !longRuns.some((tag) => tags.includes(tag))
  return runVitest(['--project=!long-*', `--tagsFilter=${filter}`], context, { isChosen })
}

/**
 * Runs the files that have tests with a tag. Some tests continue where the previous one in their file ended, so the others in
 * the file run, too.
 *
 * @param {(typeof longRuns)[number]} tag
 * @param {Context} context
 * @param {readonly string[]} [others] files that have run already
 * @returns {Promise<Tally>}
 */
async function runTagged(tag, context, others = []) {
  const files = await findTaggedFiles(root, tag)
  return runVitest(['--project=!long-*', ...files.filter((path) => !others.includes(path))], context)
}

/**
 * Removes security checks one by one, and expects a test to fail each time.
 *
 * @param {'named' | 'service'} kind those whose tests are fast, or those whose tests start whole services
 * @returns {Promise<Tally>}
 */
async function runMutants(kind) {
  const { checkNamedMutants } = await import('./mutation/checkNamedMutants.mjs')
  const { namedMutants } = await import('./mutation/namedMutants.mjs')
  const { serviceMutants } = await import('./mutation/serviceMutants.mjs')
  return checkNamedMutants(kind === 'named' ? namedMutants : serviceMutants)
}

/**
 * Breaks connections, processes and databases under the built server, and runs the tests with the tag `faults`.
 *
 * @param {Context} context
 * @returns {Promise<Tally>}
 */
async function runFaults(context) {
  const { buildPrograms } = await import('./build.mjs')
  await buildPrograms()
  const options = ['--config', 'faults/vitest.config.ts', '--project', 'faults']
  const faults = await runPart(() => runVitest(options, context))
  const tagged = await runPart(() => runTagged('faults', context))
  await printCases(context)
  return sumTallies([faults, tagged])
}

/**
 * Breaks the scaled-out layout of the built server, and prints a table of the cases.
 *
 * @param {Context} context
 * @returns {Promise<Tally>}
 */
async function runGrown(context) {
  const { requireGrownPrograms } = await import('./grown/grownPrograms.mjs')
  requireGrownPrograms()
  const { buildPrograms } = await import('./build.mjs')
  await buildPrograms()
  const table = join(root, '.latchkey/faults/grown.txt')
  await rm(table, { force: true })
  const tally = await runVitest(['--config', 'faults/vitest.config.ts', '--project', 'grown'], context)
  console.log(`\n${await readFile(table, 'utf8').catch(() => 'The layout did not start.')}`)
  return tally
}

/**
 * Runs all attacks that docs/security-cases.md lists, the tests with the tag `abuse`, and the long ones: in the browser, on
 * response times, and on interrupted wallet creations. Then it removes the checks of whole services.
 *
 * @param {Context} context
 * @returns {Promise<Tally>}
 */
async function runAbuse(context) {
  const { readAttacks } = await import('./testing/cases/readAttacks.mjs')
  const files = [...new Set((await readAttacks(root)).map(({ path }) => path))]
  const specs = files.filter((path) => path.endsWith('.spec.ts')).map((path) => basename(path))
  const long = await runPart(() => runE2e(['long'], context))
  const listed = await runPart(() => runE2e(['paths', 'variants'], context, specs))
  const tests = files.filter((path) => /\.test\.tsx?$/.test(path))
  const unit = await runPart(() => runVitest(tests, context))
  const tagged = await runPart(() => runTagged('abuse', context, tests))
  const options = ['--config', 'faults/vitest.config.ts', '--project', 'abuse']
  const env = { LATCHKEY_ENROL_SEEDS: context.seeds }
  const abuse = await runPart(() => runVitest(options, context, { env }))
  const mutants = await runPart(() => runMutants('service'))
  await printCases(context)
  return sumTallies([long, listed, unit, tagged, abuse, mutants])
}

/**
 * Prints the attacks and faults whose tests ran, and those that no test here can prove.
 *
 * @param {Context} context
 */
async function printCases({ results }) {
  const { readCases } = await import('./testing/cases/readCases.mjs')
  console.log(`\n${formatCases(await readCases(root), results)}`)
}

/**
 * Runs the main paths in Firefox and WebKit, other errors, sizes and themes in Chromium, views in the oldest React, apps with
 * packed packages, and the tests with the tag `browsers`.
 *
 * @param {Context} context
 * @returns {Promise<Tally>}
 */
async function runBrowsers(context) {
  requireFirefox()
  requireWebKit()
  const paths = await runPart(() => runE2e(['variants', 'firefox', 'firefox-forced-colors', 'webkit'], context))
  const oldest = await runPart(() => runVitest(['--project=long-*'], context))
  return sumTallies([paths, oldest, await runPart(() => runTagged('browsers', context))])
}

/**
 * Returns the tests of one path in each further engine that is installed.
 *
 * @returns {readonly Project[]}
 */
function findSmokeProjects() {
  return [
    ...(findFirefox() === undefined ? [] : [/** @type {const} */ ('firefox-smoke')]),
    ...(findWebKit() === undefined ? [] : [/** @type {const} */ ('webkit-smoke')]),
  ]
}

/**
 * @param {readonly string[]} filters options and paths that select tests
 * @param {Context} context
 * @param {{ env?: NodeJS.ProcessEnv, isChosen?: (tags: readonly string[]) => boolean }} [run]
 * @returns {Promise<Tally>}
 */
async function runVitest(filters, { reports, runner, results }, { env, isChosen } = {}) {
  const report = join(reports, 'vitest.json')
  const unhandled = join(reports, 'unhandled.json')
  // Those of a previous run must not be read if Vitest crashes.
  await Promise.all([report, unhandled].map((path) => rm(path, { force: true })))
  const reporters = [
    '--reporter=default',
    '--reporter=./scripts/testing/tally/UnhandledErrorReporter.mjs',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...filters, ...reporters]
  const options = { cwd: root, env: { ...env, [outputVariable]: unhandled } }
  const { code, lastErrors } = await runner.run(process.execPath, args, options)
  const read = await readReport(report)
  results.push(...listResults(read))
  return tallyVitest(read, code, { isChosen, lastErrors, errors: await readReport(unhandled) })
}

/**
 * @param {readonly Project[]} projects
 * @param {Context} context
 * @param {readonly string[]} [specs] names of the files to run, by default all
 * @returns {Promise<Tally>}
 */
async function runE2e(projects, { reports, runner, results }, specs = []) {
  const config = 'apps/web/playwright.config.ts'
  if (!existsSync(join(root, config))) return sumTallies([])
  // The tests import packages as apps do.
  const { buildAll } = await import('./build.mjs')
  await buildAll()
  const report = join(reports, 'playwright.json')
  const args = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config',
    config,
    ...projects.map((project) => `--project=${project}`),
    '--reporter=list,json',
    ...specs,
  ]
  const { code } = await runner.run(process.execPath, args, { cwd: root, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } })
  const read = await readReport(report)
  results.push(...listResults(read))
  return tallyPlaywright(read, code)
}

/** @param {string} path */
async function readReport(path) {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} is missing: the program that writes it crashed, see above.`)
  })
  return JSON.parse(text)
}

/**
 * Fails if the tests left processes running.
 *
 * @param {Context} context
 * @returns {Promise<Tally>}
 */
async function endLeftovers({ runner }) {
  // Browsers don't wait until their helper processes have ended.
  for (let tries = 0; tries < 20 && (await runner.leftovers()).length > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const leftovers = await runner.leftovers()
  runner.kill(leftovers)
  return sumTallies(leftovers.map(({ command }) => createFailure(`left running: ${command.slice(0, 120)}`)))
}

/** @param {Context} context */
function endOnSignal({ reports, runner }) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      runner.kill(await runner.leftovers())
      await rm(reports, { recursive: true, force: true })
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  }
}

const { values } = parseArgs({ options: { only: { type: 'string' }, seeds: { type: 'string', default: '50' } } })
const names = /** @type {(keyof typeof suites)[]} */ (Object.keys(suites))
const chosen = names.filter((name) => (values.only === undefined ? usual.includes(name) : name === values.only))
if (chosen.length === 0) {
  console.error(`--only accepts one of: ${names.join(', ')}`)
  process.exit(2)
}

const context = {
  reports: await mkdtemp(join(tmpdir(), 'latchkey-test-')),
  runner: createMarkedRunner(),
  /** Wallets per step and victim in K-12. */
  seeds: values.seeds,
  /** The tests that ran. */
  results: [],
}
endOnSignal(context)
const tally = await runTests(chosen, context)
await rm(context.reports, { recursive: true })
console.log()
for (const sentence of tally.failures) console.log(`FAILED  ${sentence.replaceAll(`${root}/`, '')}`)
console.log(lastLine(tally))
if (tally.failed > 0) process.exitCode = 1
