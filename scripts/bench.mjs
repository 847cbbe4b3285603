// npm run bench [area]: measures the production build, prints a table and writes .latchkey/bench.json.
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { buildAll } from './build.mjs'
import { isOurs } from './lib/strayErrors.mjs'

/**
 * @typedef {{ name: string, value: number, unit: string, budget?: number, atLeast?: number, note?: string }} Figure
 * `budget` is the upper limit of the figure, `atLeast` the lower limit. A figure without a limit is for comparison.
 */

/** @typedef {{ measure(options: Readonly<Record<string, string>>): Promise<Figure[]> }} Area */

/** @type {Record<string, () => Promise<Area>>} */
const areas = {
  weight: () => import('./bench/weight.mjs'),
  open: () => import('./bench/open.mjs'),
  peers: () => import('./bench/peers.mjs'),
  views: () => import('./bench/views.mjs'),
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

// The areas import build results.
await buildAll()

/** @type {Record<string, Figure[]>} */
const results = {}
for (const [name, load] of Object.entries(areas)) {
  if (names.length > 0 && !names.includes(name)) continue
  console.log(`\n${name}`)
  const figures = await (await load()).measure(options)
  results[name] = figures
  for (const figure of figures) console.log(formatRow(figure))
}

const missed = Object.values(results)
  .flat()
  .filter((figure) => !isMet(figure))
console.log(
  `\n${missed.length === 0 ? 'All figures are within their budgets.' : `${missed.length} figures miss their budgets.`}`,
)

mkdirSync('.latchkey', { recursive: true })
const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version }
writeFileSync('.latchkey/bench.json', `${JSON.stringify({ machine, results }, null, 2)}\n`)

/** @param {Figure} figure */
function isMet({ value, budget = Infinity, atLeast = -Infinity }) {
  return value <= budget && value >= atLeast
}

/** @param {Figure} figure */
function formatRow(figure) {
  const { name, value, unit, budget, atLeast, note = '' } = figure
  const bound = budget ?? atLeast
  const sign = isMet(figure) ? (budget === undefined ? '≥' : '≤') : 'MISSED'
  const limit = bound === undefined ? '' : `${sign} ${bound} ${unit}`
  const written = `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`
  return `  ${name.padEnd(58)} ${written.padStart(14)}  ${limit.padEnd(16)} ${note}`.trimEnd()
}
