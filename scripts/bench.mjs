// npm run bench [area]: measures the production build, prints a table, and writes .latchkey/bench/report.html and
// .latchkey/bench.json. Both keep the earlier figures of areas that don't run. `--report=only` only writes the report again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { createReport } from './bench/report/createReport.mjs'
import { formatLimit, formatValue, isMet } from './bench/report/figures.mjs'
import { mergeResults, parseResults } from './bench/report/mergeResults.mjs'
import { buildAll } from './build.mjs'
import { isOurs } from './lib/strayErrors.mjs'

/** @typedef {import('./bench/report/figures.mjs').Figure} Figure */

/** @typedef {{ measure(options: Readonly<Record<string, string>>): Promise<Figure[]> }} Area */

/** @type {Record<string, () => Promise<Area>>} */
const areas = {
  weight: () => import('./bench/weight.mjs'),
  open: () => import('./bench/open.mjs'),
  peers: () => import('./bench/peers/peers.mjs'),
  views: () => import('./bench/views/views.mjs'),
  flows: () => import('./bench/views/flows.mjs'),
  pairing: () => import('./bench/pairing.mjs'),
  walletconnect: () => import('./bench/walletconnect.mjs'),
  start: () => import('./bench/start.mjs'),
  create: () => import('./bench/create.mjs'),
  relay: () => import('./bench/relay.mjs'),
  api: () => import('./bench/api.mjs'),
  simulation: () => import('./bench/simulation.mjs'),
  embedded: () => import('./bench/embedded.mjs'),
}

// Node.js prints the source line of an error. A minified dependency can have lines of many thousand characters.
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => {
    if (error instanceof Error && !isOurs(error)) return
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
}

const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
/** Options of an area, for example `--blocks=10000`. */
const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word) => {
    const [, name, value] = /^--(\w+)=(.*)$/.exec(word) ?? []
    return name === undefined || value === undefined ? [] : [[name, value]]
  }),
)
const unknown = names.filter((name) => !(name in areas))
if (unknown.length > 0) {
  console.error(`There is no bench "${unknown.join('", "')}". Choose one of: ${Object.keys(areas).join(', ')}.`)
  process.exit(2)
}

const [resultsFile, reportFile] = ['.latchkey/bench.json', '.latchkey/bench/report.html']
const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version }
let results = parseResults(existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8') : '')
/** @type {Figure[]} */
const measured = []

// The areas import build results.
if (options['report'] !== 'only') await buildAll()

for (const [name, load] of Object.entries(areas)) {
  if (options['report'] === 'only' || (names.length > 0 && !names.includes(name))) continue
  console.log(`\n${name}`)
  const figures = await (await load()).measure(options)
  if (figures.length === 0) throw new Error(`The bench "${name}" measured nothing.`)
  for (const figure of figures) console.log(formatRow(figure))
  measured.push(...figures)
  const isPart = options['only'] !== undefined
  results = mergeResults(results, { area: name, figures, isPart, measuredAt: new Date().toISOString(), machine })
  // Written after each area, because the next one may fail.
  writeFiles()
}
if (options['report'] === 'only') writeFiles()

// A figure without a limit must at least have been measured.
const missed = measured.filter((figure) => !Number.isFinite(figure.value) || !isMet(figure))
if (measured.length > 0)
  console.log(
    `\n${missed.length === 0 ? 'All figures are within their budgets.' : `${missed.length} figures miss their budgets.`}`,
  )
// Slow figures are for reading. Without a value there is nothing to read.
if (measured.some(({ value }) => !Number.isFinite(value))) process.exitCode = 1
console.log(`Report: ${reportFile}`)

function writeFiles() {
  mkdirSync('.latchkey/bench', { recursive: true })
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(reportFile, createReport(results))
}

/** @param {Figure} figure */
function formatRow(figure) {
  const limit = formatLimit(figure)
  const judged = isMet(figure) ? limit : `MISSED ${limit}`
  return `  ${figure.name.padEnd(58)} ${formatValue(figure).padStart(14)}  ${judged.padEnd(22)} ${figure.note ?? ''}`.trimEnd()
}
