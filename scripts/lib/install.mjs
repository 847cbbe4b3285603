import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, readMark, writeMark } from './fingerprint.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'

const markFile = join(root, '.latchkey/installed')

/** Installs what the lockfile says, unless that was done already. */
export function installPackages() {
  const mark = fingerprint([join(root, 'package-lock.json')])
  if (existsSync(join(root, 'node_modules/.package-lock.json'))) {
    if (readMark(markFile) === mark) return
    // Somebody installed by hand: npm says whether that is in step with the lockfile.
    if (isInStep()) return writeMark(markFile, mark)
  }
  console.log('Installing packages …')
  run('Installing packages', 'npm', ['ci', '--no-audit', '--no-fund'])
  writeMark(markFile, mark)
}

function isInStep() {
  try {
    run('Looking at the packages', 'npm', ['ls', '--all', '--silent'])
    return true
  } catch {
    return false
  }
}
