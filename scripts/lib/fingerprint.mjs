// Whether something has to be done again: a hash of what it depends on, kept in .latchkey/.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const skipped = new Set(['node_modules', 'dist', 'e2e', '.git', '.latchkey'])

/**
 * A hash over the contents of files and folders.
 *
 * @param {readonly string[]} paths
 */
export function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesBelow)) hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .filter((name) => !skipped.has(name) && !name.endsWith('.tsbuildinfo') && !/\.test\.tsx?$/.test(name))
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
}

/**
 * @param {string} file
 * @returns {Record<string, string>}
 */
export function readMarks(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // Absent or damaged: then everything is done again.
    return {}
  }
}

/**
 * @param {string} file
 * @param {Readonly<Record<string, string>>} marks
 */
export function writeMarks(file, marks) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(marks, null, 2))
}
