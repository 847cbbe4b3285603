// node packages/appkit/scripts/writeNames.mjs: writes the table of the names of AppKit into docs/appkit.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'

/**
 * @typedef {object} Name a public name of AppKit
 * @property {string} name
 * @property {'same' | 'different' | 'absent'} status
 * @property {string} [why]
 */

/** @typedef {{ title: string, names: Name[] }} Group */

const [begin, end] = ['<!-- names: begin -->', '<!-- names: end -->']
const page = new URL('../../../docs/appkit.md', import.meta.url)

/** @returns {Group[]} */
export function readNames() {
  return JSON.parse(readFileSync(new URL('../names.json', import.meta.url), 'utf8'))
}

/** @returns {string} the page as it is */
export function readPage() {
  return readFileSync(page, 'utf8')
}

/**
 * Returns the page with the tables of the current names.
 *
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function renderPage(text) {
  const tables = readNames().map(({ title, names }) => `### ${title}\n\n${renderTable(names)}`)
  const [before] = text.split(begin)
  const [, after] = text.split(end)
  const whole = `${before}${begin}\n\n${tables.join('\n\n')}\n\n${end}${after}`
  const { code, errors } = await format('appkit.md', whole, { printWidth: 140, proseWrap: 'preserve' })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return code
}

/**
 * Names with the same verdict share a row.
 *
 * @param {readonly Name[]} names
 */
function renderTable(names) {
  /** @type {Map<string, string[]>} */
  const rows = new Map()
  for (const { name, status, why = '' } of names) {
    const verdict = `${status} | ${why}`
    rows.set(verdict, [...(rows.get(verdict) ?? []), `\`${name}\``])
  }
  const lines = [...rows].map(([verdict, list]) => `| ${list.join(', ')} | ${verdict} |`)
  return ['| Name | Verdict | Reason |', '| --- | --- | --- |', ...lines].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, await renderPage(readPage()))
