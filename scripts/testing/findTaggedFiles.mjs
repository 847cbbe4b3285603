import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

const ignored = new Set(['node_modules', 'dist', '.latchkey', 'e2e', 'templates'])
const testFile = /\.test\.tsx?$/

/**
 * Finds the test files that have a tag.
 *
 * @param {string} folder the repository, or a part of it
 * @param {string} tag
 * @returns {Promise<string[]>} paths relative to the folder
 */
export async function findTaggedFiles(folder, tag) {
  const paths = await listTestFiles(folder)
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return paths.filter((_, index) => texts[index]?.includes(`tags: '${tag}'`)).map((path) => relative(folder, path))
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function listTestFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && testFile.test(entry.name))
  const folders = entries.filter((entry) => entry.isDirectory() && !ignored.has(entry.name))
  const inside = await Promise.all(folders.map(({ name }) => listTestFiles(join(folder, name))))
  return [...files.map(({ name }) => join(folder, name)), ...inside.flat()].toSorted()
}
