import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isMain } from './lib/gate.mjs'
import { root } from './lib/root.mjs'

/**
 * A check: a program that must exit with code 0.
 *
 * @typedef {object} Gate
 * @property {string} name
 * @property {string} command a program on the PATH; a path is a script arguments of Node.js
 * @property {readonly string[]} [args]
 * @property {string} [after] the gate that must pass first
 */

/** @typedef {{ name: string, isOpen: boolean, seconds: number, output: string }} GateResult */

/**
 * A gate that wireit skips while its inputs are unchanged. The inputs are listed in package.json.
 *
 * @param {string} name
 * @param {string} script
 * @returns {Gate}
 */
function cached(name, script) {
  return { name, command: 'npm', args: ['run', '--silent', script] }
}

/**
 * Long gates start first, so that short gates fill the remaining time.
 *
 * @type {readonly Gate[]}
 */
export const gates = [
  { name: 'build', command: 'node_modules/ts7/bin/tsc', args: ['-b', 'tsconfig.json'] },
  cached('format', 'check:format'),
  // Other packages are read from their declarations, so a change inside a function is checked in one package only.
  { ...cached('types', 'check:types'), after: 'build' },
  { name: 'package shape', command: 'scripts/checks/check-shape.mjs', after: 'build' },
  { name: 'public APIs', command: 'scripts/api-reports.mjs', args: ['--check'], after: 'build' },
  cached('layers', 'check:layers'),
  cached('prose', 'check:prose'),
  { name: 'examples', command: 'scripts/checks/check-examples.mjs', after: 'build' },
  cached('unused code', 'check:unused'),
  cached('metrics', 'check:metrics'),
  cached('sizes', 'check:sizes'),
  cached('lint', 'check:lint'),
  cached('conformance', 'check:conformance'),
  { name: 'attacks', command: 'scripts/checks/check-attacks.mjs' },
  { name: 'messages', command: 'scripts/messages.mjs', args: ['--check'] },
  { name: 'lockfile', command: 'npm', args: ['ci', '--dry-run', '--ignore-scripts', '--silent'] },
  { name: 'install scripts', command: 'scripts/checks/check-install-scripts.mjs' },
  cached('documents', 'check:docs'),
  { name: 'forbidden texts', command: 'scripts/checks/check-texts.mjs' },
  cached('licences', 'check:licences'),
]

/**
 * Runs gates, one per core at a time. Prints a line when a gate ends and the output of failed gates at the end.
 *
 * @param {readonly Gate[]} gates each gate must follow the gate that it needs
 * @param {{ cwd: string, print: (line: string) => void }} options
 * @returns {Promise<GateResult[]>} in the order of the gates
 */
export async function runGates(gates, { cwd, print }) {
  /** @type {Map<string, Promise<GateResult>>} */
  const results = new Map()
  /** @type {Gate[]} */
  const waiting = [...gates]

  /** @param {Gate} gate */
  async function pass(gate) {
    const needed = gate.after === undefined ? undefined : await results.get(gate.after)
    const result = needed?.isOpen === false ? heldUp(gate, needed) : await runGate(gate, cwd)
    print(
      `${result.isOpen ? 'ok    ' : 'FAILED'}  ${result.name.padEnd(16)} ${result.seconds.toFixed(1).padStart(5)} s`,
    )
    return result
  }
  async function work() {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const result = pass(gate)
      results.set(gate.name, result)
      await result
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))

  const all = await Promise.all(gates.map(({ name }) => results.get(name)))
  const finished = all.filter((result) => result !== undefined)
  for (const { name, output } of finished.filter(({ isOpen }) => !isOpen)) print(`\n--- ${name} ---\n${output}`)
  return finished
}

/**
 * @param {Gate} gate
 * @param {GateResult} needed
 * @returns {GateResult}
 */
function heldUp({ name }, needed) {
  return { name, isOpen: false, seconds: 0, output: `Not run, because ${needed.name} failed.` }
}

/**
 * @param {Gate} gate
 * @param {string} cwd
 * @returns {Promise<GateResult>}
 */
async function runGate({ name, command, args = [] }, cwd) {
  const started = performance.now()
  const isScript = command.includes('/')
  const env = { ...process.env, WIREIT_LOGGER: 'quiet-ci', WIREIT_PARALLEL: '1' }
  const child = isScript
    ? spawn(process.execPath, [join(cwd, command), ...args], { cwd, env })
    : spawn(command, [...args], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  /** @type {boolean} */
  const isOpen = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
  return { name, isOpen, seconds: (performance.now() - started) / 1000, output: output.trim() }
}

if (isMain(import.meta.url)) {
  const results = await runGates(gates, { cwd: root, print: console.log })
  const failed = results.filter(({ isOpen }) => !isOpen)
  console.log(`\n${results.length - failed.length} gates open, ${failed.length} closed`)
  if (failed.length > 0) process.exitCode = 1
}
