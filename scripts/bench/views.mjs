// Runs the axe checks of all views in both themes, as the browser tests do.
import { spawnSync } from 'node:child_process'
import { build } from '../build.mjs'
import { root } from '../lib/root.mjs'

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  await build()
  const args = ['playwright', 'test', '--config', 'apps/web/playwright.config.ts', '--project=paths']
  const { stdout } = spawnSync('npx', [...args, '--grep', 'shuts people out', '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const { stats } = JSON.parse(stdout)
  return [
    { name: 'views with an axe violation, both themes', value: stats.unexpected + stats.flaky, unit: '', budget: 0 },
    { name: 'views looked at, both themes', value: stats.expected + stats.unexpected + stats.flaky, unit: '' },
  ]
}
