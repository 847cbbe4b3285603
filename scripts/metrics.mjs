// node scripts/metrics.mjs [--under FOLDER] [--all]: prints the figures that keep the code readable and fails when one is missed.
import { parseArgs } from 'node:util'
import { root } from './lib/root.mjs'
import { formatTable } from './lib/gate.mjs'
import { measures } from './metrics/measures.mjs'
import { readProject } from './metrics/readProject.mjs'

const shownPerMeasure = 20

const { values } = parseArgs({
  options: { under: { type: 'string', default: '' }, all: { type: 'boolean', default: false } },
})
const project = await readProject(root)
const results = measures.map((measure) => ({ measure, ...measure.take(project, values.under) }))

for (const { measure, violations } of results.filter((result) => result.violations.length > 0)) {
  console.log(`\n${measure.name}`)
  const shown = values.all ? violations : violations.slice(0, shownPerMeasure)
  for (const violation of shown) console.log(`  ${violation}`)
  if (shown.length < violations.length)
    console.log(`  … and ${violations.length - shown.length} more (--all lists them)`)
}
const rows = results.map(({ measure, value, isMet }) => [
  isMet ? 'ok' : 'MISSED',
  measure.name,
  String(value),
  measure.target,
])
console.log(`\n${formatTable([['', 'figure', 'value', 'target'], ...rows])}`)
if (results.some(({ isMet }) => !isMet)) process.exitCode = 1
