import { spawnSync } from 'node:child_process'
import { root } from './root.mjs'

/**
 * Runs a command to its end, showing what it prints only when it fails.
 *
 * @param {string} what how a person calls it: `The build`
 * @param {string} command
 * @param {readonly string[]} args
 * @throws {Error} with the sentence and what was printed.
 */
export function run(what, command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${what} could not be started: ${error.message}`)
  if (status !== 0)
    throw new Error(`${what} failed.\n${`${stdout}\n${stderr}`.trim().split('\n').slice(-40).join('\n')}`)
}
