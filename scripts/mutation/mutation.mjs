// npm run mutation [area …]: changes the custody code in small steps and reports the changes that no test detects.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain, formatTable } from '../lib/gate.mjs'
import { listRepositoryFiles } from '../lib/gateInputs.mjs'
import { root } from '../lib/root.mjs'
import { areas } from './areas.mjs'
import { findUnmatchedGlobs } from './findUnmatchedGlobs.mjs'
import { hangCode } from './oneProcess/runMutants.mjs'

/** @typedef {import('./areas.mjs').Area} Area */

/**
 * The used part of Stryker's JSON report.
 *
 * @typedef {{ status: string, mutatorName: string, replacement?: string, location: { start: { line: number } } }} Mutant
 * @typedef {{ files: Record<string, { mutants: readonly Mutant[] }> }} MutationReport
 */

const folder = join(root, '.latchkey/mutation')

/**
 * Runs Stryker on one area. Results of unchanged code are taken from the last run.
 *
 * @param {Area} area
 * @param {{ concurrency: number, force: boolean, ignoreStatic: boolean, mutate?: string | undefined, tests?: string | undefined }} options
 */
function runArea({ name, mutate, tests }, { concurrency, force, ignoreStatic, mutate: only, tests: onlyTests }) {
  const config = join(folder, `${name}.config.json`)
  mkdirSync(folder, { recursive: true })
  const files = only === undefined ? mutate : only.split(',')
  writeFileSync(config, JSON.stringify({ ...strykerOptions(name, files), ignoreStatic }))
  const args = [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    config,
    '--concurrency',
    String(concurrency),
  ]
  const { status } = spawnSync(process.execPath, [...args, ...(force ? ['--force'] : [])], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LATCHKEY_MUTATION_TESTS: JSON.stringify(onlyTests?.split(',') ?? tests) },
  })
  if (status !== 0) process.exitCode = 1
}

/**
 * Runs all mutants of one area in one process, which loads each module once.
 *
 * @param {Area} area
 * @param {{ force: boolean, mutate?: string | undefined, tests?: string | undefined }} options
 */
function runAreaInOneProcess({ name, mutate, tests }, { force, mutate: only, tests: onlyTests }) {
  const program = join(root, 'scripts/mutation/oneProcess/runMutants.mjs')
  for (let isForced = force; ; isForced = false) {
    const options = { name, mutate: only?.split(',') ?? mutate, tests: onlyTests?.split(',') ?? tests, isForced }
    const { status } = spawnSync(process.execPath, [program, JSON.stringify(options)], { cwd: root, stdio: 'inherit' })
    if (status === hangCode) continue
    if (status !== 0) process.exitCode = 1
    return
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} mutate
 */
function strykerOptions(name, mutate) {
  return {
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', join(root, 'scripts/mutation/ignoreErrorTexts.mjs')],
    ignorers: ['error-texts', 'documentation'],
    mutate,
    incremental: true,
    incrementalFile: join(folder, `${name}.incremental.json`),
    coverageAnalysis: 'perTest',
    ignorePatterns: ['**/dist', '.latchkey', 'docs', '**/*.tsbuildinfo'],
    tempDirName: '.latchkey/stryker',
    timeoutMS: 30_000,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: join(folder, `${name}.json`) },
    checkers: [],
    disableTypeChecks: false,
    allowConsoleColors: false,
  }
}

const detected = new Set(['Killed', 'Timeout'])
const undetected = new Set(['Survived', 'NoCoverage'])

/**
 * Lists the score of each file and the survivors of all last runs.
 *
 * @param {readonly Area[]} chosen
 */
function report(chosen) {
  for (const { name } of chosen) {
    const path = join(folder, `${name}.json`)
    if (!existsSync(path)) continue
    /** @type {MutationReport} */
    const { files } = JSON.parse(readFileSync(path, 'utf8'))
    const rows = Object.entries(files).map(([file, { mutants }]) => [file, ...scoreOf(mutants)])
    const total = scoreOf(Object.values(files).flatMap(({ mutants }) => mutants))
    console.log(`\n${name}\n${formatTable([...rows, ['all', ...total]])}\n`)
    for (const [file, { mutants }] of Object.entries(files)) {
      for (const { status, mutatorName, replacement, location } of mutants) {
        if (!undetected.has(status)) continue
        console.log(`${file}:${location.start.line}  ${status} ${mutatorName}  ${toOneLine(replacement ?? '')}`)
      }
    }
  }
}

/** @param {readonly Mutant[]} mutants */
function scoreOf(mutants) {
  const killed = mutants.filter(({ status }) => detected.has(status)).length
  const alive = mutants.filter(({ status }) => undetected.has(status)).length
  const score = killed + alive === 0 ? '' : `${((100 * killed) / (killed + alive)).toFixed(1)} %`
  return [score, `${killed} detected`, `${alive} not`]
}

/** @param {string} text */
function toOneLine(text) {
  return text.replaceAll(/\s+/g, ' ').slice(0, 120)
}

if (isMain(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      concurrency: { type: 'string', default: '1' },
      mutate: { type: 'string' },
      tests: { type: 'string' },
      force: { type: 'boolean', default: false },
      'ignore-static': { type: 'boolean', default: false },
      'one-process': { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.filter((name) => !areas.some((area) => area.name === name))
  if (unknown.length > 0) {
    console.error(`There is no area ${unknown.join(', ')}. The areas are ${areas.map(({ name }) => name).join(', ')}.`)
    process.exit(2)
  }
  const unmatched = findUnmatchedGlobs(areas, await listRepositoryFiles(root))
  if (unmatched.length > 0) {
    console.error(unmatched.join('\n'))
    process.exit(2)
  }
  const chosen = areas.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const { force, mutate, tests, 'ignore-static': ignoreStatic } = values
  const options = { concurrency: Number(values.concurrency), force, ignoreStatic, mutate, tests }
  const run = values['one-process'] ? runAreaInOneProcess : runArea
  if (!values.report) for (const area of chosen) run(area, options)
  report(chosen)
}
