import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The result of a gate. It passes if there are no problems.
 *
 * @typedef {{ problems: string[], report?: string }} Finding
 */

/**
 * True if a module was started as a program and not imported.
 *
 * @param {string} moduleUrl its `import.meta.url`
 */
export function isMain(moduleUrl) {
  return process.argv[1] === fileURLToPath(moduleUrl)
}

/**
 * Prints the report and the problems of a gate that was started as a program. Sets exit code 1 if there are problems.
 *
 * @param {Finding} finding
 */
export function conclude({ problems, report }) {
  if (report !== undefined) console.log(report)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

const notSources = new Set(['templates', 'node_modules', 'dist', 'test-results', 'artifacts'])

/**
 * Lists all hand-written files below a folder, as relative paths with forward slashes.
 *
 * @param {string} folder
 * @param {RegExp} name pattern of the paths
 * @returns {Promise<string[]>}
 */
export async function listFiles(folder, name) {
  /** @type {string[]} */
  const found = []
  /** @param {string} below */
  async function walk(below) {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || notSources.has(entry.name)) continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) await walk(path)
      else if (name.test(path)) found.push(path)
    }
  }
  await walk('')
  return found.toSorted()
}

/**
 * Aligns the columns of a table.
 *
 * @param {readonly (readonly string[])[]} rows
 */
export function formatTable(rows) {
  const widths = rows.reduce((/** @type {number[]} */ all, row) => {
    row.forEach((cell, index) => (all[index] = Math.max(all[index] ?? 0, cell.length)))
    return all
  }, [])
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
