// node scripts/api-reports.mjs [--check]: writes the public API of every package entry to packages/*/api/, or compares it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, posix } from 'node:path'
import { parseArgs } from 'node:util'
import { CompilerState, Extractor } from '@microsoft/api-extractor'
import { conclude, isMain } from './lib/gate.mjs'
import { hashFiles, openPassedInputs, readRules, withDependencies } from './lib/passedInputs.mjs'
import { root } from './lib/root.mjs'
import { run } from './lib/run.mjs'
import { prepareExtractor, silenceMessage } from './release/prepareExtractor.mjs'

/** @typedef {{ folder: string, name: string, types: string }} Entry an entry of a package; `types` is its declaration file */

/**
 * Lists the entries of all published packages.
 *
 * @param {string} repository
 * @returns {Entry[]}
 */
function listEntries(repository) {
  return readdirSync(join(repository, 'packages')).flatMap((name) => {
    const folder = join(repository, 'packages', name)
    if (!existsSync(join(folder, 'package.json'))) return []
    const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return Object.entries(exports).flatMap(([subpath, target]) =>
      typeof target === 'object' && 'types' in target
        ? [{ folder, name: posix.join(name, subpath).replaceAll('/', '-'), types: join(folder, target.types) }]
        : [],
    )
  })
}

/**
 * Creates one program of TypeScript for all entries. It does not depend on the entries that changed: the reports could.
 *
 * @param {readonly Entry[]} entries
 */
function createProgram(entries) {
  const [first] = entries
  if (first === undefined) throw new Error('There are no packages with entries.')
  const config = prepareExtractor(first.folder, first.types, {})
  return CompilerState.create(config, { additionalEntryPoints: entries.map(({ types }) => types) })
}

/**
 * Writes the report of an entry, or compares it with the committed one.
 *
 * @param {Entry} entry
 * @param {{ compilerState: CompilerState | undefined, isCheck: boolean, temporary: string }} options
 * @returns {string | undefined} the problem
 */
function reportEntry({ folder, name, types }, { compilerState, isCheck, temporary }) {
  const reports = join(folder, 'api')
  mkdirSync(reports, { recursive: true })
  const config = prepareExtractor(folder, types, {
    apiReport: {
      enabled: true,
      reportFileName: `${name}.api.md`,
      reportFolder: reports,
      reportTempFolder: temporary,
    },
  })
  const options = { compilerState, localBuild: !isCheck, messageCallback: silenceMessage }
  const { apiReportChanged } = Extractor.invoke(config, options)
  return isCheck && apiReportChanged
    ? `packages/${basename(folder)}/api/${name}.api.md: the public API changed. Review it, then run node scripts/api-reports.mjs.`
    : undefined
}

/**
 * Hashes the declarations that a report is made of, and the committed report.
 *
 * @param {Entry} entry
 */
function contentsOf({ folder, name }) {
  return [
    hashFiles(join(folder, 'api'), new RegExp(`/${name}\\.api\\.md$`)),
    ...withDependencies(folder).flatMap((path) => [
      readFileSync(join(path, 'package.json'), 'utf8'),
      hashFiles(join(path, 'dist'), /\.d\.ts$/),
    ]),
  ]
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  if (!values.check)
    await run('The build of the packages', ['node_modules/ts7/bin/tsc', '-b', 'tsconfig.json'], { cwd: root })
  const temporary = mkdtempSync(join(tmpdir(), 'latchkey-api-'))
  const passed = openPassedInputs(
    join(root, '.latchkey/checks/api.json'),
    readRules(root, ['scripts/api-reports.mjs', 'scripts/release/prepareExtractor.mjs', 'tsconfig.base.json']),
  )
  const entries = listEntries(root)
  const changed = entries.filter((entry) => !values.check || !passed.has(entry.name, ...contentsOf(entry)))
  const compilerState = changed.length === 0 ? undefined : createProgram(entries)
  const problems = changed.map((entry) => {
    const problem = reportEntry(entry, { compilerState, isCheck: values.check, temporary })
    if (problem === undefined) passed.add(entry.name, ...contentsOf(entry))
    return problem
  })
  passed.save()
  rmSync(temporary, { recursive: true })
  conclude({ problems: problems.filter((problem) => problem !== undefined) })
}
