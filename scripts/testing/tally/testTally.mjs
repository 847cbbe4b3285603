import { stripVTControlCharacters } from 'node:util'

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Tally */

/** @type {Tally} */
const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] }

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export function sumTallies(tallies) {
  return tallies.reduce(
    (sum, tally) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + tally.failed,
      skipped: sum.skipped + tally.skipped,
      failures: [...sum.failures, ...tally.failures],
    }),
    nothing,
  )
}

/**
 * Creates a tally with one failure that is not a test: a crash, a missing tool, a leftover process.
 *
 * @param {string} sentence
 * @returns {Tally}
 */
export function createFailure(sentence) {
  return { ...nothing, failed: 1, failures: [sentence] }
}

/**
 * @param {readonly import('../../check.mjs').GateResult[]} results
 * @returns {Tally}
 */
export function tallyGates(results) {
  const failures = results.filter(({ hasPassed }) => !hasPassed).map(({ name }) => `check: ${name}`)
  return { passed: results.length - failures.length, failed: failures.length, skipped: 0, failures }
}

/**
 * The used part of the report of Vitest's JSON reporter.
 *
 * @typedef {{ status: string, fullName: string, failureMessages?: string[], tags?: string[] }} VitestTest
 * @typedef {{ testResults: { name: string, status: string, assertionResults: VitestTest[] }[] }} VitestReport
 * @typedef {{ name?: string, message: string, stack?: string }} UnhandledError
 */

/**
 * Counts Vitest's tests. A file that could not run counts as one failure, and so does each unhandled error. A non-zero exit
 * code without any of these counts as one failure, too, with the end of what Vitest wrote to stderr.
 *
 * @param {VitestReport} report
 * @param {number} exitCode
 * @param {{ isChosen?: (tags: readonly string[]) => boolean, errors?: readonly UnhandledError[], lastErrors?: string }} [options]
 * `isChosen` tells the tests of this run by their tags; the others are not counted as skipped. `errors` are those outside
 * all tests.
 * @returns {Tally}
 */
export function tallyVitest({ testResults }, exitCode, { isChosen = () => true, errors = [], lastErrors } = {}) {
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags = [] }) => status === 'passed' || status === 'failed' || isChosen(tags))
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${name}: could not run`]
    return failed.map(({ fullName, failureMessages }) => `${name}: ${fullName}${firstLines(failureMessages?.[0])}`)
  })
  failures.push(...errors.map((error) => `vitest: unhandled error${firstLines(describe(error))}`))
  if (exitCode !== 0 && failures.length === 0) {
    failures.push(`vitest: an error outside all tests${lastLines(lastErrors)}`)
  }
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failedTests = tests.filter(({ status }) => status === 'failed').length
  return { passed, failed: failures.length, skipped: tests.length - passed - failedTests, failures }
}

/**
 * The used part of the report of Playwright's JSON reporter.
 *
 * @typedef {{ error?: { message?: string } }} PlaywrightResult
 * @typedef {{ title: string, file: string, tests: { status: string, results?: PlaywrightResult[] }[] }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ suites: PlaywrightSuite[], errors: { message?: string }[] }} PlaywrightReport
 */

/**
 * Counts Playwright's tests. A flaky one is a failed one.
 *
 * @param {PlaywrightReport} report
 * @param {number} exitCode
 * @returns {Tally}
 */
export function tallyPlaywright({ suites, errors }, exitCode) {
  const tests = suites.flatMap(specsOf).flatMap(({ title, file, tests: runs }) =>
    runs.map(({ status, results = [] }) => ({
      status,
      name: `${file}: ${title}${firstLines(results.find(({ error }) => error)?.error?.message)}`,
    })),
  )
  const failures = [
    ...tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ name, status }) => (status === 'flaky' ? `${name} (passed only on retry)` : name)),
    ...errors.map(({ message }) => `playwright: ${message?.split('\n')[0] ?? 'an error outside all tests'}`),
  ]
  if (exitCode !== 0 && failures.length === 0) failures.push('playwright: an error outside all tests')
  return {
    passed: tests.filter(({ status }) => status === 'expected').length,
    failed: failures.length,
    skipped: tests.filter(({ status }) => status === 'skipped').length,
    failures,
  }
}

/** @param {string} [text] */
function lastLines(text = '') {
  const lines = stripVTControlCharacters(text).trim().split('\n').slice(-20)
  return lines.join('') === '' ? '' : `\n  ${lines.join('\n  ')}`
}

/** @param {UnhandledError} error */
function describe({ name = 'Error', message, stack = '' }) {
  return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`
}

const timeoutStack = /^Error: STACK_TRACE_ERROR$/m

/**
 * The log of a machine that only keeps its last lines still names the cause.
 *
 * @param {string} [message]
 */
function firstLines(message) {
  if (message === undefined) return ''
  // Vitest's report has the place of a timeout, but not its message.
  const text = stripVTControlCharacters(message).replace(timeoutStack, 'Error: the test or a hook timed out')
  // They name the assertion, the locator, and the values.
  return `\n  ${text.split('\n').slice(0, 8).join('\n  ')}`
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {PlaywrightSpec[]}
 */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/**
 * The one last line.
 *
 * @param {Tally} tally
 */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}
