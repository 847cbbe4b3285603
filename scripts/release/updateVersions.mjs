import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../lib/root.mjs'

/** Applies the changesets: new versions, changelogs, and the lockfile. */
export function updateVersions() {
  const commands = [
    [process.execPath, join(root, 'node_modules/@changesets/cli/bin.js'), 'version'],
    ['npm', 'install', '--package-lock-only', '--no-audit', '--no-fund'],
    [process.execPath, join(root, 'node_modules/oxfmt/bin/oxfmt'), '**/CHANGELOG.md', '**/package.json'],
  ]
  for (const [program = '', ...args] of commands) {
    const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${[program, ...args].join(' ')} failed.`, { cause: error })
  }
}
