// Runs the axe checks of all views in both themes, as the browser tests do.
import { spawnSync } from 'node:child_process'
import { build } from '../../build.mjs'
import { root } from '../../lib/root.mjs'

/** A part of the titles of the checks in apps/web/e2e. The project "paths" runs few of them, "variants" the others. */
const title = 'has no accessibility violations'

/** @returns {Promise<import('../../bench.mjs').Figure[]>} */
export async function measure() {
  await build()
  const args = [
    'playwright',
    'test',
    '--config',
    'apps/web/playwright.config.ts',
    '--project=paths',
    '--project=variants',
  ]
  const { stdout, stderr } = spawnSync('npx', [...args, '--grep', title, '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return describeRun(stdout, stderr)
}

/**
 * Returns the figures of a run.
 *
 * @param {string} report the JSON report of Playwright
 * @param {string} [reason] shown if there is no report
 * @returns {import('../../bench.mjs').Figure[]}
 * @throws Error if no check ran, for example because the titles of the checks have changed
 */
export function describeRun(report, reason = '') {
  const { stats } = parseReport(report, reason)
  const failed = stats.unexpected + stats.flaky
  const checked = stats.expected + failed
  if (checked === 0) throw new Error(`No test has a title with "${title}", so no view was checked.`)
  return [
    { name: 'views with an axe violation, both themes', value: failed, unit: '', budget: 0 },
    { name: 'views checked, both themes', value: checked, unit: '' },
  ]
}

/**
 * @param {string} report
 * @param {string} reason
 * @returns {{ stats: Record<'expected' | 'unexpected' | 'flaky', number> }}
 */
function parseReport(report, reason) {
  try {
    return JSON.parse(report)
  } catch (cause) {
    throw new Error(`The browser tests wrote no report. ${reason}`.trim(), { cause })
  }
}
