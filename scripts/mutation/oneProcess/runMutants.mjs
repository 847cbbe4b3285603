// Runs all mutants of an area in one process. `npm run mutation AREA -- --one-process` starts it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isMain } from '../../lib/gate.mjs'
import { listRepositoryFiles } from '../../lib/gateInputs.mjs'
import { root } from '../../lib/root.mjs'
import { matchGlobs } from '../findUnmatchedGlobs.mjs'
import { parseCopyName } from './copyNames.mjs'
import { instrumentSources } from './instrumentSources.mjs'
import { openMutantResults } from './mutantResults.mjs'
import { openMutantVitest } from './openMutantVitest.mjs'
import { planRuns } from './planRuns.mjs'

/**
 * @typedef {import('@stryker-mutator/instrumenter').InstrumentResult['mutants'][number]} Mutant
 * @typedef {{ name: string, mutate: string[], tests: string[], isForced: boolean }} RunOptions
 */

/** A test with a time limit of its own ends earlier. After this time, a loop that never ends has blocked the process. */
const hangMs = 90_000

/** The exit code after a mutant that blocked the process. The rest needs another process. */
export const hangCode = 3

/** @param {RunOptions} options */
async function runMutants({ name, mutate, tests, isForced }) {
  const folder = join(root, '.latchkey/mutation', name)
  mkdirSync(folder, { recursive: true })
  const paths = await listRepositoryFiles(root)
  const find = (/** @type {string[]} */ globs) => matchGlobs(globs, paths).map((path) => join(root, path))
  const testFiles = find(tests)
  const { code, mutants } = await instrumentSources(find(mutate))
  const results = openMutantResults({ folder, name, mutants, isForced })
  const vitest = await openMutantVitest({ code, tests: testFiles, folder })
  try {
    const { problems, ...plan } = await planRuns(vitest, { tests: testFiles, folder })
    for (const problem of problems) console.error(problem)
    if (problems.length > 0) return 1
    const pending = mutants.filter((mutant) => savePassive(results, mutant, plan))
    const { isBlocked } = await runPending(vitest, { results, pending, filesOf: plan.filesOf })
    results.writeReport()
    return isBlocked ? hangCode : 0
  } finally {
    await Promise.race([vitest.close(), new Promise((resolve) => setTimeout(resolve, 10_000))])
  }
}

/**
 * Saves the status of a mutant that no test can run. Mutants that tests detected before are not run again.
 *
 * @param {ReturnType<typeof openMutantResults>} results
 * @param {Mutant} mutant
 * @param {import('./planRuns.mjs').MutantRuns} plan
 * @returns {boolean} true if it must run
 */
function savePassive(results, mutant, { filesOf, constants }) {
  const found = results.find(mutant)
  if (found === 'Killed' || found === 'Timeout') return false
  if (mutant.status === 'Ignored') results.save(mutant, 'Ignored', mutant.statusReason)
  else if (filesOf.has(mutant.id)) return true
  else if (constants.has(mutant.id)) results.save(mutant, 'Ignored', 'a constant')
  else results.save(mutant, 'NoCoverage')
  return false
}

/**
 * Runs each mutant against its test files until one fails.
 *
 * @param {Awaited<ReturnType<typeof openMutantVitest>>} vitest
 * @param {{ results: ReturnType<typeof openMutantResults>, pending: readonly Mutant[], filesOf: ReadonlyMap<string, readonly string[]> }} options
 */
async function runPending(vitest, { results, pending, filesOf }) {
  const alive = new Map(pending.map((mutant) => [mutant.id, mutant]))
  const hang = watchForHang(vitest.listener)
  for (let rank = 0; ; rank += 1) {
    const runs = listRuns([...alive.keys()], filesOf, rank)
    if (runs.length === 0) break
    console.log(`${runs.length} runs, ${alive.size} mutants are undetected`)
    vitest.listener.onEnd = (run) => {
      const id = parseCopyName(run.moduleId)?.mutant ?? ''
      const mutant = alive.get(id)
      if (mutant === undefined) {
        if (run.state() === 'failed') console.error(`${run.moduleId} fails without a mutant, after others ran.`)
        return
      }
      const isLast = rank + 1 === filesOf.get(id)?.length
      if (run.state() === 'failed') {
        alive.delete(id)
        results.save(mutant, 'Killed', [...run.children.allTests('failed')][0]?.fullName)
      } else if (isLast) results.save(mutant, 'Survived')
    }
    const blocked = await Promise.race([vitest.run(runs).then(() => undefined), hang.blocked])
    if (blocked === undefined) continue
    const mutant = alive.get(blocked)
    if (mutant !== undefined) results.save(mutant, 'Timeout')
    return { isBlocked: true }
  }
  hang.stop()
  return { isBlocked: false }
}

/**
 * Lists the next run of each mutant, and a last run of each test file without one. It shows whether mutants left something behind.
 *
 * @param {readonly string[]} mutants
 * @param {ReadonlyMap<string, readonly string[]>} filesOf
 * @param {number} rank
 * @returns {readonly (readonly [test: string, mutant: string])[]}
 */
function listRuns(mutants, filesOf, rank) {
  const runs = mutants.flatMap((id) => {
    const test = filesOf.get(id)?.[rank]
    return test === undefined ? [] : [/** @type {const} */ ([test, id])]
  })
  const controls = [...new Set(runs.map(([test]) => test))].map((test) => /** @type {const} */ ([test, `none${rank}`]))
  return [...runs, ...controls].toSorted(([a], [b]) => a.localeCompare(b))
}

/**
 * @param {{ onStart(path: string): void }} listener
 * @returns {{ blocked: Promise<string>, stop(): void }} the mutant that blocks the process
 */
function watchForHang(listener) {
  let stop = () => undefined
  const blocked = new Promise((resolve) => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    stop = () => void clearTimeout(timer)
    listener.onStart = (path) => {
      clearTimeout(timer)
      timer = setTimeout(() => resolve(parseCopyName(path)?.mutant ?? ''), hangMs)
    }
  })
  return { blocked, stop }
}

if (isMain(import.meta.url)) process.exit(await runMutants(JSON.parse(process.argv[2] ?? '{}')))
