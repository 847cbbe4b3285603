import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createNpmEnvironment } from './createNpmEnvironment.mjs'
import { run } from '../lib/run.mjs'
import { runNpm } from './runNpm.mjs'
import { packReleases } from './packReleases.mjs'
import { publishReleases } from './publishReleases.mjs'
import { startVerdaccio } from './startVerdaccio.mjs'

/** @typedef {import('./packReleases.mjs').Release} Release */

/**
 * Rehearses a release: publishes all packages to a registry on this machine, installs them from it in an empty folder, imports
 * each entry, and creates an app.
 *
 * @param {(step: string) => void} report
 */
export async function rehearseRelease(report) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
  report('Starting Verdaccio')
  const registry = await startVerdaccio(folder)
  try {
    report('Packing')
    const releases = await packReleases(folder)
    const env = await createNpmEnvironment(folder, registry.url)
    const args = ['--registry', registry.url]
    const published = await publishReleases(releases, { env, args })
    report(`Published ${published.length} packages to ${registry.url}`)
    const again = await publishReleases(releases, { env, args })
    if (again.length > 0) throw new Error(`A second run published ${again.join(', ')} again.`)

    const app = join(folder, 'app')
    await installReleases(app, releases, { env, url: registry.url })
    report('Installed them in an empty folder')
    const count = await importEntries(app, releases)
    report(`Imported ${count} entries`)
    await runNpm(['exec', '--no', 'latchkey', 'create', 'my-app'], { cwd: app, env })
    await runNpm(['run', 'build'], { cwd: join(app, 'my-app'), env })
    report('Created and built an app')
  } finally {
    await registry.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} app
 * @param {readonly Release[]} releases
 * @param {{ env: NodeJS.ProcessEnv, url: string }} registry
 */
async function installReleases(app, releases, { env, url }) {
  mkdirSync(app)
  const dependencies = releases.map(({ manifest: { name, version }, archive }) => [
    name,
    // A registry can only be chosen for a scope, so the other packages have addresses.
    name.startsWith('@') ? version : `${url}/${name}/-/${basename(archive)}`,
  ])
  // Optional peer dependencies are needed for the entries that use them.
  const peers = releases.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}))
  const manifest = { private: true, type: 'module', dependencies: Object.fromEntries([...peers, ...dependencies]) }
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
  await runNpm(['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'], { cwd: app, env })
}

/**
 * Imports each entry of the packages.
 *
 * @param {string} app
 * @param {readonly Release[]} releases
 * @returns {Promise<number>} the number of entries
 */
async function importEntries(app, releases) {
  const entries = releases.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.keys(exports).map((path) => name + path.slice(1)),
  )
  // Fixtures for Vitest can only be imported by its tests.
  const isForVitest = (/** @type {string} */ entry) => entry.endsWith('/vitest')
  copyFileSync(fileURLToPath(new URL('importEntries.mjs', import.meta.url)), join(app, 'importEntries.mjs'))
  const imported = entries.filter((entry) => !isForVitest(entry))
  await run('Importing the entries', ['importEntries.mjs', ...imported], { cwd: app })
  const tests = entries.filter(isForVitest).map((entry) => `test('imports', () => import('${entry}'))`)
  writeFileSync(join(app, 'entries.test.js'), ["import { test } from 'vitest'", ...tests].join('\n'))
  await run('Importing the entries for Vitest', ['node_modules/vitest/vitest.mjs', 'run'], { cwd: app })
  return entries.length
}
