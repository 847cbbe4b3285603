// Stores a hash of the inputs of each step in .latchkey/, to skip steps whose inputs have not changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const skipped = new Set(['node_modules', 'dist', 'e2e', '.git', '.latchkey'])

/**
 * Computes a hash of the contents of files and folders.
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
    // The file is missing or damaged, so all steps run again.
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
