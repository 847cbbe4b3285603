import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { root } from '../../lib/root.mjs'
import { copyNameOf, parseCopyName } from './copyNames.mjs'

/** @typedef {import('vitest/node').TestModule} TestModule */

/** Keeps the order of the given files. */
class GivenOrder {
  /** @template T @param {T} files */
  shard = async (files) => files
  /** @template T @param {T} files */
  sort = async (files) => files
}

/**
 * Starts a Vitest whose modules contain all mutants, and stay loaded between the copies of test files.
 *
 * @param {{ code: ReadonlyMap<string, string>, tests: readonly string[], folder: string }} options
 */
export async function openMutantVitest({ code, tests, folder }) {
  process.env['LATCHKEY_MUTATION_TESTS'] = JSON.stringify(tests)
  /** @type {{ onStart(path: string): void, onEnd(run: TestModule): void }} */
  const listener = { onStart: () => undefined, onEnd: () => undefined }
  const reporter = {
    onTestModuleStart: (/** @type {TestModule} */ { moduleId }) => listener.onStart(moduleId),
    onTestModuleEnd: (/** @type {TestModule} */ run) => listener.onEnd(run),
  }
  const vitest = await createVitest(
    'test',
    {
      root,
      config: join(root, 'scripts/mutation/vitest.config.ts'),
      watch: false,
      silent: true,
      isolate: false,
      pool: 'threads',
      maxWorkers: 1,
      testTimeout: 30_000,
      setupFiles: [join(root, 'scripts/mutation/oneProcess/activateMutant.mjs')],
      sequence: { sequencer: GivenOrder },
      reporters: [reporter],
    },
    { plugins: [createMutantPlugin(code)] },
  )
  const project = vitest.getRootProject()
  project.provide(/** @type {never} */ ('mutationFolder'), /** @type {never} */ (folder))
  return {
    listener,
    /** @param {readonly (readonly [test: string, mutant: string])[]} runs */
    run: (runs) => vitest.runTestSpecifications(runs.map((run) => project.createSpecification(copyNameOf(...run)))),
    close: () => vitest.close(),
  }
}

/**
 * @param {ReadonlyMap<string, string>} code
 * @returns {import('vite').Plugin}
 */
function createMutantPlugin(code) {
  return {
    name: 'mutants',
    enforce: 'pre',
    resolveId(id) {
      if (parseCopyName(id) === undefined) return undefined
      return id.startsWith(root) ? id : join(root, id)
    },
    load(id) {
      const copy = parseCopyName(id)
      return copy === undefined ? code.get(id) : readFileSync(copy.test, 'utf8')
    },
  }
}
