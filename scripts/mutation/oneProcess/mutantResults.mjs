import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../../lib/root.mjs'

/**
 * @typedef {import('@stryker-mutator/instrumenter').InstrumentResult['mutants'][number]} Mutant
 * @typedef {'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored'} Status
 * @typedef {{ key: string, status: Status, by?: string | undefined }} Result
 */

/**
 * Opens the results of an area. They stay if the run stops, and belong to the exact text of a file.
 *
 * @param {{ folder: string, name: string, mutants: readonly Mutant[], isForced: boolean }} options
 */
export function openMutantResults({ folder, name, mutants, isForced }) {
  const path = join(folder, 'results.jsonl')
  if (isForced) rmSync(path, { force: true })
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const results = new Map(
    lines.map((line) => /** @type {Result} */ (JSON.parse(line))).map((result) => [result.key, result]),
  )
  const keyOf = createKeys()
  return {
    /** @param {Mutant} mutant */
    find: (mutant) => results.get(keyOf(mutant))?.status,
    /**
     * @param {Mutant} mutant
     * @param {Status} status
     * @param {string} [by] the test that detected it
     */
    save(mutant, status, by) {
      const result = { key: keyOf(mutant), status, by }
      results.set(result.key, result)
      appendFileSync(path, `${JSON.stringify(result)}\n`)
    },
    /** Adds the files to the report of the area, in Stryker's format. */
    writeReport() {
      const target = join(folder, '..', `${name}.json`)
      const files = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')).files : {}
      for (const { fileName } of mutants) files[relative(root, fileName)] = { mutants: [] }
      for (const mutant of mutants) {
        const status = results.get(keyOf(mutant))?.status ?? 'Pending'
        files[relative(root, mutant.fileName)].mutants.push({ ...mutant, status, location: countFromOne(mutant) })
      }
      writeFileSync(target, JSON.stringify({ files }))
    },
  }
}

/** @returns {(mutant: Mutant) => string} */
function createKeys() {
  /** @type {Map<string, string>} */
  const hashes = new Map()
  return ({ fileName, mutatorName, replacement, location: { start, end } }) => {
    const hash = hashes.get(fileName) ?? createHash('sha256').update(readFileSync(fileName)).digest('hex').slice(0, 16)
    hashes.set(fileName, hash)
    const place = [start.line, start.column, end.line, end.column]
    return [relative(root, fileName), hash, mutatorName, ...place, replacement].join('|')
  }
}

/** @param {Mutant} mutant */
function countFromOne({ location: { start, end } }) {
  const shift = ({ line = 0, column = 0 }) => ({ line: line + 1, column: column + 1 })
  return { start: shift(start), end: shift(end) }
}
