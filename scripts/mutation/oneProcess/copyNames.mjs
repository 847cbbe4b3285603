/**
 * Each mutant runs in a copy of the test file that exists in memory only. Vitest loads a file of another name again, and keeps all
 * other modules.
 */
const copyName = /^(?<path>.*)\.mutant-(?<mutant>\w+)\.test\.ts$/

/**
 * Returns the path of the copy of a test file for a mutant.
 *
 * @param {string} test
 * @param {string} mutant its id, or the name of a run without a mutant
 */
export function copyNameOf(test, mutant) {
  return test.replace(/\.test\.ts$/, `.mutant-${mutant}.test.ts`)
}

/**
 * Returns the test file and the mutant of a copy, or `undefined` for any other path.
 *
 * @param {string} path
 */
export function parseCopyName(path) {
  const groups = copyName.exec(path)?.groups
  return groups === undefined ? undefined : { test: `${groups['path']}.test.ts`, mutant: groups['mutant'] ?? '' }
}
