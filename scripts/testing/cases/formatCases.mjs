/** @typedef {import('./readCases.mjs').Case} Case */
/** @typedef {import('../tally/testTally.mjs').VitestReport} VitestReport */
/** @typedef {import('../tally/testTally.mjs').PlaywrightReport} PlaywrightReport */
/** @typedef {import('../tally/testTally.mjs').PlaywrightSuite} PlaywrightSuite */
/** @typedef {{ title: string, hasPassed: boolean }} Result a test that ran */

const longestStatement = 76

/**
 * Lists the tests of a report that ran. A test that Playwright repeated has not passed.
 *
 * @param {VitestReport | PlaywrightReport} report
 * @returns {Result[]}
 */
export function listResults(report) {
  if ('testResults' in report) {
    return report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => ({ title: fullName, hasPassed: status === 'passed' }))
  }
  return report.suites.flatMap(listSuite)
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {Result[]}
 */
function listSuite({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ status }) => ({ title, hasPassed: status === 'expected' })),
  )
  return [...own, ...suites.flatMap(listSuite)]
}

/**
 * Formats a table of the attacks and faults whose tests ran, and of those that no test here can prove. The ids of all
 * others follow, because other commands run their tests.
 *
 * @param {readonly Case[]} cases
 * @param {readonly Result[]} results
 * @returns {string}
 */
export function formatCases(cases, results) {
  const rows = cases.flatMap(({ id, statement, reason }) => {
    const own = results.filter(({ title }) => title.includes(`[${id}]`))
    if (own.length > 0) return [`${id}  ${formatVerdict(own).padEnd(14)}  ${shorten(statement)}`]
    return reason === undefined ? [] : [`${id}  ${'not provable'.padEnd(14)}  ${reason}`]
  })
  const others = cases.filter(
    ({ id, reason }) => reason === undefined && !results.some(({ title }) => title.includes(`[${id}]`)),
  )
  const rest = others.length === 0 ? [] : ['', `Tested by other commands: ${others.map(({ id }) => id).join(' ')}`]
  return ['Cases of docs/security-cases.md', ...rows, ...rest].join('\n')
}

/** @param {readonly Result[]} results */
function formatVerdict(results) {
  const failed = results.filter(({ hasPassed }) => !hasPassed).length
  if (failed > 0) return `FAILED ${failed} of ${results.length}`
  return `passed ${results.length}`
}

/** @param {string} statement */
function shorten(statement) {
  return statement.length <= longestStatement ? statement : `${statement.slice(0, longestStatement - 1).trimEnd()}…`
}
