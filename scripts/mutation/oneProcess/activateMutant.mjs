import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { parseCopyName } from './copyNames.mjs'

/**
 * Setup of each copy of a test file. It switches the mutant on for which the copy is named, and runs only the tests that reach it.
 *
 * @typedef {{ type: string, name: string, mode: string, suite?: RunSuite, result?: unknown }} RunTask
 * @typedef {RunTask & { tasks: RunTask[], filepath: string }} RunSuite
 * @typedef {{ hitLimits: Record<string, number>, tests: Record<string, string[]> }} MutantPlan
 * @typedef {{ static: Record<string, number>, perTest: Record<string, Record<string, number>> }} MutantCoverage
 * @typedef {{ activeMutant?: string | undefined, currentTestId?: string | undefined, hitCount?: number, hitLimit?: number, mutantCoverage?: MutantCoverage }} Switches
 */

const shared = /** @type {Record<string, Switches | undefined> & { mutantPlan?: MutantPlan }} */ (
  /** @type {unknown} */ (globalThis)
)
/** Stryker's code reads this object. */
const switches = (shared['__stryker__'] ??= {})
const folder = /** @type {string} */ (/** @type {unknown} */ (inject(/** @type {never} */ ('mutationFolder'))))

/** @type {RunSuite | undefined} */
let file
let mutant = ''

// oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures from the first parameter
beforeAll(({}, suite) => {
  file = /** @type {RunSuite} */ (/** @type {unknown} */ (suite))
  const copy = parseCopyName(file.filepath)
  mutant = copy?.mutant ?? ''
  if (mutant === 'coverage') {
    switches.mutantCoverage ??= { static: {}, perTest: {} }
    switches.mutantCoverage.perTest = {}
    switches.currentTestId = 'setup'
    return
  }
  const plan = (shared.mutantPlan ??= JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')))
  const reaching = plan?.tests[`${mutant} ${copy?.test}`]
  if (reaching !== undefined) skipTests((test) => !reaching.includes(fullTitleOf(test)))
  switches.hitCount = 0
  switches.hitLimit = plan?.hitLimits[mutant] ?? Infinity
  switches.activeMutant = mutant
})

beforeEach(({ task, onTestFailed }) => {
  if (mutant === 'coverage')
    switches.currentTestId = fullTitleOf(/** @type {RunTask} */ (/** @type {unknown} */ (task)))
  else onTestFailed(() => skipTests(() => true))
})

afterEach(() => {
  if (mutant === 'coverage') switches.currentTestId = 'setup'
})

afterAll(() => {
  switches.activeMutant = undefined
  switches.currentTestId = undefined
  if (mutant !== 'coverage') return
  const found = { test: parseCopyName(file?.filepath ?? '')?.test, ...switches.mutantCoverage }
  writeFileSync(join(folder, 'coverage.jsonl'), `${JSON.stringify(found)}\n`, { flag: 'a' })
})

/** @param {(test: RunTask) => boolean} isSkipped */
function skipTests(isSkipped) {
  for (const test of file === undefined ? [] : testsIn(file)) {
    if (test.result === undefined && isSkipped(test)) test.mode = 'skip'
  }
}

/**
 * @param {RunSuite} suite
 * @returns {RunTask[]}
 */
function testsIn(suite) {
  return suite.tasks.flatMap((task) => ('tasks' in task ? testsIn(/** @type {RunSuite} */ (task)) : [task]))
}

/**
 * @param {RunTask} task
 * @returns {string}
 */
function fullTitleOf({ name, suite }) {
  return suite === undefined ? name : `${fullTitleOf(suite)} > ${name}`
}
