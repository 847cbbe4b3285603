import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isMain } from './lib/gate.mjs'
import { hashInputs, selectInputs } from './lib/gateInputs.mjs'
import { openPassedInputs } from './lib/passedInputs.mjs'
import { root } from './lib/root.mjs'

/**
 * A check: a program that must exit with code 0.
 *
 * @typedef {object} Gate
 * @property {string} name
 * @property {string} command a program on the PATH; a path is a script for Node.js
 * @property {readonly string[]} [args]
 * @property {string} [after] the gate that must pass first
 * @property {RegExp} [inputs] the files that decide about its result; without changes since it passed, it is skipped
 */

/** @typedef {{ name: string, hasPassed: boolean, seconds: number, output: string, isSkipped?: boolean }} GateResult */

/** @typedef {{ has: (gate: Gate) => boolean, add: (gate: Gate) => void, save: () => void }} PassedGates */

// The compiler, a Go program, is a quarter faster if it collects garbage less often, with the same peak of memory.
const env = { ...process.env, GOGC: '300' }
const code = /\.(tsx?|mjs|css|html|json)$/
const published = /^packages\/|^scripts\/|^package\.json$|^tsconfig/
const anyFile = /./

/**
 * Long gates start first, so that short gates fill the remaining time.
 *
 * @type {readonly Gate[]}
 */
export const gates = [
  { name: 'build', command: 'node_modules/ts7/bin/tsc', args: ['-b', 'tsconfig.json'] },
  { name: 'metrics', command: 'scripts/metrics.mjs', inputs: code },
  {
    name: 'types',
    // Other packages are read from their declarations, so a change inside a function is checked in one package only.
    command: 'node_modules/ts7/bin/tsc',
    args: ['-p', 'tsconfig.check.json', '--incremental', '--tsBuildInfoFile', '.latchkey/checks/types.tsbuildinfo'],
    after: 'build',
    inputs: code,
  },
  { name: 'sizes', command: 'scripts/checks/check-size.mjs', inputs: published },
  { name: 'package shape', command: 'scripts/checks/check-shape.mjs', after: 'build', inputs: published },
  {
    name: 'unused code',
    command: 'node_modules/knip/bin/knip.js',
    args: ['--no-progress', '--no-config-hints', '--cache', '--cache-location', '.latchkey/checks/knip'],
    inputs: code,
  },
  { name: 'conformance', command: 'scripts/conformance.mjs', inputs: /\.(md|tsx?|mjs)$/ },
  { name: 'public APIs', command: 'scripts/api-reports.mjs', args: ['--check'], after: 'build', inputs: published },
  { name: 'examples', command: 'scripts/checks/check-examples.mjs', after: 'build' },
  { name: 'prose', command: 'scripts/checks/check-prose.mjs', inputs: /\.(tsx?|mjs|md|yml)$|messages\/en\.json$/ },
  { name: 'format', command: 'node_modules/oxfmt/bin/oxfmt', args: ['--check'] },
  { name: 'lint', command: 'node_modules/oxlint/bin/oxlint', args: ['--deny-warnings', '.'], inputs: code },
  { name: 'layers', command: 'scripts/checks/check-layers.mjs', inputs: code },
  {
    name: 'lockfile',
    command: 'npm',
    args: ['ci', '--dry-run', '--ignore-scripts', '--silent'],
    inputs: /(^|\/)package\.json$/,
  },
  { name: 'attacks', command: 'scripts/checks/check-attacks.mjs', inputs: /\.(tsx?|mjs)$/ },
  { name: 'documents', command: 'scripts/checks/check-docs.mjs', inputs: anyFile },
  { name: 'messages', command: 'scripts/messages.mjs', args: ['--check'], inputs: /messages/ },
  { name: 'forbidden texts', command: 'scripts/checks/check-texts.mjs' },
  {
    name: 'install scripts',
    command: 'scripts/checks/check-install-scripts.mjs',
    inputs: /^package\.json$|install-scripts/,
  },
  { name: 'licences', command: 'scripts/checks/check-licences.mjs', inputs: /licences/ },
]

/**
 * Runs gates, one per core at a time. Prints a line when a gate ends and the output of failed gates at the end. A gate that
 * passed before with the same inputs is skipped.
 *
 * @param {readonly Gate[]} gates each gate must follow the gate that it needs
 * @param {{ cwd: string, print: (line: string) => void, passed?: PassedGates }} options
 * @returns {Promise<GateResult[]>} in the order of the gates
 */
export async function runGates(gates, { cwd, print, passed }) {
  /** @type {Map<string, Promise<GateResult>>} */
  const results = new Map()
  /** @type {Gate[]} */
  const waiting = [...gates]

  /** @param {Gate} gate */
  async function pass(gate) {
    const needed = gate.after === undefined ? undefined : await results.get(gate.after)
    if (needed?.hasPassed === false) return createNotRunResult(gate, needed)
    if (passed?.has(gate) === true) return { name: gate.name, hasPassed: true, seconds: 0, output: '', isSkipped: true }
    const result = await runGate(gate, cwd)
    if (result.hasPassed) passed?.add(gate)
    return result
  }
  async function work() {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const result = pass(gate)
      results.set(gate.name, result)
      print(formatResult(await result))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))

  const all = await Promise.all(gates.map(({ name }) => results.get(name)))
  const finished = all.filter((result) => result !== undefined)
  passed?.save()
  for (const { name, output } of finished.filter(({ hasPassed }) => !hasPassed)) print(`\n--- ${name} ---\n${output}`)
  return finished
}

/** @param {GateResult} result */
function formatResult({ name, hasPassed, seconds, isSkipped }) {
  const time = isSkipped === true ? 'unchanged' : `${seconds.toFixed(1).padStart(5)} s`
  return `${hasPassed ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)} ${time}`
}

/**
 * Remembers the gates that passed, with their commands and inputs.
 *
 * @param {string} folder the repository
 * @param {string} file where they are stored
 * @returns {Promise<PassedGates>}
 */
export async function openPassedGates(folder, file) {
  const hashes = await hashInputs(folder)
  const passed = openPassedInputs(file, process.version)
  /** @param {Gate} gate */
  const contentsOf = ({ command, args = [], inputs = /^/ }) => [
    [command, ...args].join(' '),
    selectInputs(hashes, inputs),
  ]
  return {
    has: (gate) => gate.inputs !== undefined && passed.has(gate.name, ...contentsOf(gate)),
    add(gate) {
      if (gate.inputs !== undefined) passed.add(gate.name, ...contentsOf(gate))
    },
    save: () => passed.save(),
  }
}

/**
 * @param {Gate} gate
 * @param {GateResult} needed
 * @returns {GateResult}
 */
function createNotRunResult({ name }, needed) {
  return { name, hasPassed: false, seconds: 0, output: `Not run, because ${needed.name} failed.` }
}

/**
 * @param {Gate} gate
 * @param {string} cwd
 * @returns {Promise<GateResult>}
 */
async function runGate({ name, command, args = [] }, cwd) {
  const started = performance.now()
  const isScript = command.includes('/')
  const child = isScript
    ? spawn(process.execPath, [join(cwd, command), ...args], { cwd, env })
    : spawn(command, [...args], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  /** @type {boolean} */
  const hasPassed = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
  return { name, hasPassed, seconds: (performance.now() - started) / 1000, output: output.trim() }
}

// npm run check [-- GATE...]: a gate that is named always runs.
if (isMain(import.meta.url)) {
  const names = process.argv.slice(2)
  const chosen = gates.filter(({ name }) => names.length === 0 || names.includes(name))
  const passed =
    names.length > 0 ? {} : { passed: await openPassedGates(root, join(root, '.latchkey/checks/gates.json')) }
  const results = await runGates(chosen, { cwd: root, print: console.log, ...passed })
  const failed = results.filter(({ hasPassed }) => !hasPassed)
  console.log(`\n${results.length - failed.length} checks passed, ${failed.length} failed`)
  if (failed.length > 0 || results.length === 0) process.exitCode = 1
}
