import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * An attack or a fault of docs/security-cases.md.
 *
 * @typedef {object} Case
 * @property {string} id
 * @property {string} statement
 * @property {string | undefined} reason the reason why no test proves it
 */

const item = /^- \*\*([A-Z]-\d+)\*\* (built|deviates): (.+)$/gm
const deviation = /^- \*\*([A-Z]-\d+)\*\* (.+)$/gm

/**
 * Reads the attacks and faults, and the reasons of those that no test proves.
 *
 * @param {string} folder the repository
 * @returns {Promise<Case[]>}
 */
export async function readCases(folder) {
  const [cases, deviations] = await Promise.all(
    ['docs/security-cases.md', 'docs/deviations.md'].map((path) => readFile(join(folder, path), 'utf8')),
  )
  const reasons = new Map([...(deviations ?? '').matchAll(deviation)].map(([, id = '', reason = '']) => [id, reason]))
  return [...(cases ?? '').matchAll(item)].map(([, id = '', verdict, statement = '']) => ({
    id,
    statement,
    reason: verdict === 'deviates' ? (reasons.get(id) ?? 'No reason is recorded.') : undefined,
  }))
}
