// What axe finds in every view, in both themes: run as the browser tests run it.
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
