/**
 * The figures of one app.
 *
 * @typedef {object} PeerFigures
 * @property {string} name
 * @property {number} scripts before the button works
 * @property {number} kilobytes of these scripts, compressed by brotli, with React
 * @property {number} usableKilobytes of all scripts until the dialog is usable
 * @property {number} strangers the requests to other origins before a click
 * @property {number} packages that are installed, with React
 * @property {number} fast from the click to a usable dialog, in milliseconds
 * @property {number} slow the same with a CPU that is four times slower
 * @property {number} slow4G the same with 1.6 Mbit/s and round trips of 150 ms
 */

const start = '<!-- peers: written by `npm run bench peers -- --write=true` -->'
const end = '<!-- end of peers -->'

/** @type {readonly [label: string, read: (figures: PeerFigures) => string][]} */
const rows = [
  ['scripts before the button works', ({ scripts }) => String(scripts)],
  ['their size with React, kB', ({ kilobytes }) => kilobytes.toFixed(1)],
  ['scripts until the dialog is usable, kB', ({ usableKilobytes }) => usableKilobytes.toFixed(1)],
  ['requests to other origins before a click', ({ strangers }) => String(strangers)],
  ['installed packages, with React', ({ packages }) => String(packages)],
  ['click to usable, ms', ({ fast }) => String(fast)],
  ['click to usable, CPU four times slower, ms', ({ slow }) => String(slow)],
  ['click to usable, slow 4G, ms', ({ slow4G }) => String(slow4G)],
]

/**
 * Formats the figures as a table of Markdown, in the layout of the formatter.
 *
 * @param {readonly PeerFigures[]} measured
 */
export function formatPeerTable(measured) {
  const cells = [
    ['', ...measured.map(({ name }) => name)],
    ...rows.map(([label, read]) => [label, ...measured.map(read)]),
  ]
  const widths = cells[0]?.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

/**
 * Replaces the table between the two comments of a document.
 *
 * @param {string} document
 * @param {string} table
 */
export function placePeerTable(document, table) {
  const [before, after] = [document.indexOf(start), document.indexOf(end)]
  if (before === -1 || after === -1) throw new Error('The comments around the table of peers are missing.')
  return `${document.slice(0, before + start.length)}\n\n${table}\n\n${document.slice(after)}`
}
