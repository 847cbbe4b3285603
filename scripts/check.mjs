import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isMain } from './gate.mjs'
import { root } from './lib/root.mjs'

/**
 * A program that must end with exit code 0.
 *
 * @typedef {object} Gate
 * @property {string} name
 * @property {string} command the program; a relative one is a script for Node.js
 * @property {readonly string[]} [args]
 * @property {string} [after] the gate whose result it needs
 */

/** @typedef {{ name: string, isOpen: boolean, seconds: number, output: string }} GateResult */

const typescript = 'node_modules/ts7/bin/tsc'

/**
 * The long ones first, so that the short ones fill the gaps.
 *
 * @type {readonly Gate[]}
 */
export const gates = [
  { name: 'build', command: typescript, args: ['-b', 'tsconfig.json'] },
  { name: 'format', command: 'node_modules/prettier/bin/prettier.cjs', args: ['--check', '.', '--log-level', 'warn'] },
  { name: 'unused code', command: 'node_modules/knip/bin/knip.js', args: ['--no-progress', '--no-config-hints'] },
  { name: 'lockfile', command: 'npm', args: ['ci', '--dry-run', '--ignore-scripts', '--silent'] },
  { name: 'package shape', command: 'scripts/check-shape.mjs', after: 'build' },
  { name: 'lint', command: 'node_modules/oxlint/bin/oxlint', args: ['--deny-warnings', '.'] },
  { name: 'types', command: typescript, args: ['-p', 'tsconfig.check.json'] },
  { name: 'sizes', command: 'scripts/check-size.mjs' },
  { name: 'layers', command: 'scripts/check-layers.mjs' },
  { name: 'conformance', command: 'scripts/conformance.mjs' },
  { name: 'documents', command: 'scripts/check-docs.mjs' },
  { name: 'forbidden texts', command: 'scripts/check-texts.mjs' },
  { name: 'licences', command: 'scripts/check-licences.mjs' },
]

/**
 * Runs gates, as many at once as there are cores, and prints a line for each as it ends and all failures last.
 *
 * @param {readonly Gate[]} gates in an order that puts each behind the one it needs
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
  const child = isScript
    ? spawn(process.execPath, [join(cwd, command), ...args], { cwd })
    : spawn(command, [...args], { cwd })
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
