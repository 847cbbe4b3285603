import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {import('vitest/node').TestModule} TestModule
 * @typedef {import('vitest/node').TestCase | import('vitest/node').TestSuite} TestTask
 * @typedef {{ test: string } & import('./activateMutant.mjs').MutantCoverage} FileCoverage
 * @typedef {{ filesOf: ReadonlyMap<string, readonly string[]>, constants: ReadonlySet<string> }} MutantRuns test files by mutant, and mutants that
 *   modules execute while they load
 * @typedef {Awaited<ReturnType<typeof import('./openMutantVitest.mjs').openMutantVitest>>} MutantVitest
 */

/** A loop that a mutant made endless passes its switch this many times more often than before. */
const hitFactor = 100

/**
 * Runs the tests without a mutant, and plans which test files each mutant needs, the fastest first.
 *
 * @param {MutantVitest} vitest
 * @param {{ tests: readonly string[], folder: string }} options
 * @returns {Promise<MutantRuns & { problems: readonly string[] }>}
 */
export async function planRuns(vitest, { tests, folder }) {
  const coverageFile = join(folder, 'coverage.jsonl')
  rmSync(coverageFile, { force: true })
  /** @type {Map<string, number>} */
  const durations = new Map()
  /** @type {string[]} */
  const problems = []
  vitest.listener.onEnd = (run) => {
    if (run.state() !== 'passed') problems.push(describeTestFailure(run))
    for (const test of run.children.allTests()) durations.set(fullTitleOf(test), test.diagnostic()?.duration ?? 0)
  }
  await vitest.run(tests.map((test) => [test, 'coverage']))
  if (problems.length > 0) return { filesOf: new Map(), constants: new Set(), problems }
  const lines = readFileSync(coverageFile, 'utf8').split('\n').filter(Boolean)
  const coverages = lines.map((line) => /** @type {FileCoverage} */ (JSON.parse(line)))
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(createPlan(coverages)))
  const constants = new Set(coverages.flatMap((coverage) => Object.keys(coverage.static)))
  return { filesOf: rankFiles(coverages, durations), constants, problems }
}

/**
 * @param {readonly FileCoverage[]} coverages
 * @returns {import('./activateMutant.mjs').MutantPlan}
 */
function createPlan(coverages) {
  /** @type {import('./activateMutant.mjs').MutantPlan} */
  const plan = { hitLimits: {}, tests: {} }
  for (const { test, perTest } of coverages) {
    for (const [mutant, names] of reachingTests(perTest)) {
      const hits = Math.max(...names.map((name) => perTest[name]?.[mutant] ?? 0))
      plan.hitLimits[mutant] = Math.max(plan.hitLimits[mutant] ?? 1_000, hits * hitFactor)
      // All tests of a file depend on its setup.
      if (!names.includes('setup')) plan.tests[`${mutant} ${test}`] = names
    }
  }
  return plan
}

/**
 * @param {readonly FileCoverage[]} coverages
 * @param {ReadonlyMap<string, number>} durations
 * @returns {Map<string, readonly string[]>} test files by mutant
 */
function rankFiles(coverages, durations) {
  /** @type {Map<string, { test: string, cost: number }[]>} */
  const ranked = new Map()
  for (const { test, perTest } of coverages) {
    for (const [mutant, names] of reachingTests(perTest)) {
      const reaching = names.includes('setup') ? Object.keys(perTest) : names
      const cost = reaching.reduce((sum, name) => sum + (durations.get(name) ?? 0), 0)
      ranked.set(mutant, [...(ranked.get(mutant) ?? []), { test, cost }])
    }
  }
  return new Map(
    [...ranked].map(([mutant, files]) => [mutant, files.toSorted((a, b) => a.cost - b.cost).map(({ test }) => test)]),
  )
}

/**
 * @param {FileCoverage['perTest']} perTest
 * @returns {Map<string, string[]>} names of tests by mutant
 */
function reachingTests(perTest) {
  /** @type {Map<string, string[]>} */
  const reaching = new Map()
  for (const [name, hits] of Object.entries(perTest)) {
    for (const mutant of Object.keys(hits)) reaching.set(mutant, [...(reaching.get(mutant) ?? []), name])
  }
  return reaching
}

/**
 * @param {TestTask} task
 * @returns {string}
 */
function fullTitleOf(task) {
  return task.parent.type === 'suite' ? `${fullTitleOf(task.parent)} > ${task.name}` : ` > ${task.name}`
}

/** @param {TestModule} run */
function describeTestFailure(run) {
  const failed = [...run.children.allTests('failed')].map(({ fullName }) => fullName)
  const errors = run.errors().map(({ message }) => message)
  return `${run.moduleId} fails without a mutant: ${[...failed, ...errors].join('; ')}`
}
