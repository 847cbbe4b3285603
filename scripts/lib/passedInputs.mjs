import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readMarks, writeMarks } from './fingerprint.mjs'

/**
 * The inputs that passed a check before, so that a check skips those that have not changed. A failed input is not remembered.
 *
 * @typedef {object} PassedInputs
 * @property {(name: string, ...contents: readonly string[]) => boolean} has true if the input passed with these contents
 * @property {(name: string, ...contents: readonly string[]) => void} add
 * @property {() => void} save stores the inputs that were asked for or added; others are forgotten
 */

/**
 * Opens the inputs that passed a check.
 *
 * @param {string} file where they are stored
 * @param {string} rules the contents of everything else that decides about the result, such as the check itself
 * @returns {PassedInputs}
 */
export function openPassedInputs(file, rules) {
  const known = readMarks(file)
  // The rules contain the lockfile, and there are thousands of inputs.
  const rulesHash = hashOf([rules])
  /** @type {Record<string, string>} */
  const current = {}
  /** @param {readonly string[]} contents */
  const keyOf = (contents) => hashOf([rulesHash, ...contents])
  return {
    has(name, ...contents) {
      const key = keyOf(contents)
      if (known[name] !== key) return false
      current[name] = key
      return true
    },
    add(name, ...contents) {
      current[name] = keyOf(contents)
    },
    save: () => writeMarks(file, current),
  }
}

/** @param {readonly string[]} texts */
function hashOf(texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}\0`).update(text)
  return hash.digest('hex')
}

/**
 * Returns a hash of all files below a folder whose path matches. A missing folder has no files.
 *
 * @param {string} path
 * @param {RegExp} [name]
 * @returns {string}
 */
export function hashFiles(path, name = /./) {
  if (!existsSync(path)) return ''
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  return hashOf(files.flatMap((file) => [file.slice(path.length), readFileSync(file, 'utf8')]))
}

/**
 * Returns the contents of the files that decide about the result of a check: its modules and the versions of its tools.
 *
 * @param {string} repository
 * @param {readonly string[]} modules paths of the check's own modules
 */
export function readRules(repository, modules) {
  return [...modules, 'package-lock.json'].map((path) => readFileSync(join(repository, path), 'utf8')).join('\0')
}

/**
 * Returns the folders of a package and of all packages of this repository that it depends on.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function withDependencies(folder) {
  /** @type {Set<string>} */
  const found = new Set()
  /** @param {string} path */
  function visit(path) {
    if (found.has(path) || !existsSync(join(path, 'package.json'))) return
    found.add(path)
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      if (name.startsWith('@latchkey/')) visit(join(dirname(folder), name.slice('@latchkey/'.length)))
  }
  visit(folder)
  return [...found]
}
