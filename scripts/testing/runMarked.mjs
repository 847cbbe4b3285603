import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/**
 * Runs programs and finds all their processes, even detached ones, by a mark that they inherit in the environment.
 *
 * @typedef {object} MarkedRunner
 * @property {(command: string, args: readonly string[], options: { cwd: string, env?: NodeJS.ProcessEnv }) => Promise<number>} run
 *   runs a program on this terminal and returns its exit code
 * @property {() => Promise<Leftover[]>} leftovers the marked processes that still run (Linux only)
 * @property {(leftovers: readonly Leftover[]) => void} kill
 */

/** @typedef {{ pid: number, command: string }} Leftover */

/** @returns {MarkedRunner} */
export function createMarkedRunner() {
  const mark = `LATCHKEY_TEST_RUN=${randomUUID()}`
  const [name = '', value] = mark.split('=')
  return {
    run: (command, args, { cwd, env }) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, [...args], {
          cwd,
          stdio: 'inherit',
          env: { ...process.env, ...env, [name]: value },
        })
        child.on('error', reject)
        child.on('close', (code) => resolve(code ?? 1))
      }),
    leftovers: () => processesWith(mark),
    kill(leftovers) {
      for (const { pid } of leftovers) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // The process has ended since.
        }
      }
    },
  }
}

/**
 * @param {string} mark
 * @returns {Promise<Leftover[]>}
 */
async function processesWith(mark) {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      if (!environment.split('\0').includes(mark)) return []
      const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
      // A process without a command line has ended and is a zombie.
      return command === '' ? [] : [{ pid: Number(id), command: command.replaceAll('\0', ' ').trim() }]
    }),
  )
  return found.flat()
}
