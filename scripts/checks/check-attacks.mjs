import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listTitles } from '../conformance.mjs'
import { conclude, isMain } from '../lib/gate.mjs'
import { root } from '../lib/root.mjs'
import { readAttacks } from '../testing/cases/readAttacks.mjs'

/** @typedef {import('../testing/cases/readAttacks.mjs').Attack} Attack */

/**
 * Checks that the tests in the table of attacks exist.
 *
 * @param {string} folder the repository
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkAttacks(folder) {
  const attacks = await readAttacks(folder)
  if (attacks.length === 0) return { problems: ['docs/security-cases.md: there is no table of attacks'] }
  const problems = await Promise.all(attacks.map((attack) => findProblem(folder, attack)))
  return { problems: problems.filter((problem) => problem !== undefined) }
}

/**
 * @param {string} folder
 * @param {Attack} attack
 */
async function findProblem(folder, { attack, title, path }) {
  const code = await readFile(join(folder, path), 'utf8').catch(() => undefined)
  const where = `docs/security-cases.md: ${attack}`
  if (code === undefined) return `${where}: there is no file ${path}`
  const isFound = listTitles(path, code).some((found) => found.title.includes(title))
  return isFound ? undefined : `${where}: ${path} has no test "${title}"`
}

if (isMain(import.meta.url)) conclude(await checkAttacks(root))
