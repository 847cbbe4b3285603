import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'

/**
 * An attack on the embedded wallet with a test that performs it.
 *
 * @typedef {{ attack: string, title: string, path: string }} Attack
 */

const row = /^\| (.+?) +\| (.+?) +\| \[[^\]]+\]\(([^)]+)\) +\|$/gm

/**
 * Reads the table of attacks. A title may be the distinctive part of a test's title.
 *
 * @param {string} folder the repository
 * @returns {Promise<Attack[]>}
 */
export async function readAttacks(folder) {
  const document = await readFile(join(folder, 'docs/security-cases.md'), 'utf8')
  return [...document.matchAll(row)].map(([, attack = '', title = '', link = '']) => ({
    attack,
    title,
    path: normalize(join('docs', link)),
  }))
}
