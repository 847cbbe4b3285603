import { readFile } from 'node:fs/promises'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { strykerPlugins } from '../ignoreErrorTexts.mjs'

/**
 * Mutants of files, and the code that contains all of them behind switches.
 *
 * @typedef {import('@stryker-mutator/instrumenter').InstrumentResult['mutants'][number]} Mutant
 * @typedef {{ code: ReadonlyMap<string, string>, mutants: readonly Mutant[] }} InstrumentedSources
 */

const report = (/** @type {string} */ message) => console.error(message)
const ignore = () => undefined
const isOff = () => false
const logger = {
  isTraceEnabled: isOff,
  isDebugEnabled: isOff,
  isInfoEnabled: isOff,
  isWarnEnabled: () => true,
  isErrorEnabled: () => true,
  isFatalEnabled: () => true,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: report,
  error: report,
  fatal: report,
}

/**
 * Creates Stryker's mutants of some files.
 *
 * @param {readonly string[]} paths absolute paths
 * @returns {Promise<InstrumentedSources>}
 */
export async function instrumentSources(paths) {
  const sources = await Promise.all(
    paths.map(async (name) => ({ name, mutate: true, content: await readFile(name, 'utf8') })),
  )
  const { files, mutants } = await new Instrumenter(logger).instrument(sources, {
    plugins: null,
    excludedMutations: [],
    ignorers: strykerPlugins.map(({ value }) => value),
  })
  return { code: new Map(files.map(({ name, content }) => [name, content])), mutants }
}
