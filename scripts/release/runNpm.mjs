import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs npm.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>} its output
 * @throws {Error} with its output
 */
export async function runNpm(args, options = {}) {
  try {
    return (await run('npm', args, { ...options, maxBuffer: 16e6 })).stdout
  } catch (cause) {
    // The rejection of execFile contains the output.
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (cause)
    throw new Error(`npm ${args.join(' ')} failed.\n${`${stdout}\n${stderr}`.trim()}`, { cause })
  }
}
