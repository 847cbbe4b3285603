// Applies named mutants in memory and runs the tests that must detect them. Part of `npm test` and `npm run test:abuse`.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { isMain } from '../lib/gate.mjs'
import { root } from '../lib/root.mjs'
import { createFailure, sumTallies } from '../testing/tally/testTally.mjs'
import { namedMutants } from './namedMutants.mjs'
import { serviceMutants } from './serviceMutants.mjs'

/** @typedef {import('./namedMutants.mjs').NamedMutant} NamedMutant */
/** @typedef {import('../testing/tally/testTally.mjs').Tally} Tally */
/** @typedef {'detected' | 'undetected' | 'could not run'} Outcome */

/**
 * Runs mutants. A detected mutant counts as passed. Mutants that are not run fail, too, if their code no longer exists.
 *
 * @param {readonly NamedMutant[]} mutants
 * @returns {Promise<Tally>}
 */
export async function checkNamedMutants(mutants) {
  const stale = (await Promise.all([...namedMutants, ...serviceMutants].map(findStale))).flat()
  if (stale.length > 0) return sumTallies(stale.map(createFailure))
  const outcomes = await runMutants(mutants)
  return sumTallies(
    mutants.map(({ name, tests }) => {
      const outcome = outcomes.get(name) ?? 'could not run'
      if (outcome === 'detected') return { ...sumTallies([]), passed: 1 }
      return createFailure(`mutant ${outcome} by ${tests}: ${name}`)
    }),
  )
}

/**
 * Checks that the code of a mutant exists.
 *
 * @param {NamedMutant} mutant
 * @returns {Promise<string[]>}
 */
async function findStale({ name, file, find }) {
  const source = await readFile(join(root, file), 'utf8').catch(() => '')
  const count = source.split(find).length - 1
  return count === 1 ? [] : [`mutant "${name}": its code occurs ${count} times in ${file}`]
}

/**
 * Each mutant is a Vitest project whose sources contain the change.
 *
 * @param {readonly NamedMutant[]} mutants
 * @returns {Promise<Map<string, Outcome>>}
 */
async function runMutants(mutants) {
  /** @type {Map<string, Outcome>} */
  const outcomes = new Map()
  const reporter = {
    /** @param {import('vitest/node').TestModule} testModule */
    onTestModuleEnd(testModule) {
      const tests = [...testModule.children.allTests()].map((test) => test.result().state)
      const ran = tests.filter((state) => state === 'passed' || state === 'failed')
      const outcome = ran.length === 0 ? 'could not run' : ran.includes('failed') ? 'detected' : 'undetected'
      outcomes.set(testModule.project.name, outcome)
    },
  }
  const vitest = await createVitest('test', {
    config: join(root, 'scripts/mutation/namedMutants.config.ts'),
    root,
    watch: false,
    reporters: [reporter],
    project: mutants.flatMap(({ name }) => [name, `${name}, in a browser`]),
  })
  try {
    for (const project of vitest.projects) {
      const title = mutants.find(({ name }) => name === project.name)?.title
      if (title !== undefined) project.config.testNamePattern = new RegExp(escapeText(title))
    }
    await vitest.start()
  } finally {
    await vitest.close()
  }
  // Vitest reports the failures that are wanted here.
  process.exitCode = 0
  return outcomes
}

/** @param {string} text */
function escapeText(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

if (isMain(import.meta.url)) {
  const mutants = [...namedMutants, ...serviceMutants]
  const tally = await checkNamedMutants(mutants)
  for (const sentence of tally.failures) console.error(sentence)
  console.log(`${tally.passed} of ${mutants.length} named mutants detected`)
  process.exit(tally.failed > 0 ? 1 : 0)
}
