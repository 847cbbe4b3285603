import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/**
 * Runs programs and finds all their processes, even detached ones, by a mark that they inherit in the environment.
 *
 * @typedef {object} MarkedRunner
 * @property {(command: string, args: readonly string[], options: { cwd: string, env?: NodeJS.ProcessEnv }) => Promise<Ended>} run
 *   runs a program on this terminal
 * @property {() => Promise<Leftover[]>} leftovers the marked processes that still run (Linux only)
 * @property {(leftovers: readonly Leftover[]) => void} kill
 */

/** @typedef {{ pid: number, command: string }} Leftover */

/** @typedef {{ code: number, lastErrors: string }} Ended the exit code, and the end of what the program wrote to stderr */

/** Characters of stderr that are kept. */
const maxKept = 4_000
/** A detached process may hold stderr open, so its end is not awaited for longer. */
const stderrEndMs = 1_000

/**
 * @param {{ write(text: string): unknown }} [stderr] where the errors of the programs go
 * @returns {MarkedRunner}
 */
export function createMarkedRunner(stderr = process.stderr) {
  const mark = `LATCHKEY_TEST_RUN=${randomUUID()}`
  const [name = '', value] = mark.split('=')
  return {
    run: (command, args, { cwd, env }) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, [...args], {
          cwd,
          stdio: ['inherit', 'inherit', 'pipe'],
          env: { ...process.env, ...env, [name]: value },
        })
        let lastErrors = ''
        child.stderr.setEncoding('utf8').on('data', (text) => {
          stderr.write(text)
          lastErrors = (lastErrors + text).slice(-maxKept)
        })
        child.on('error', reject)
        child.on('exit', (code) => {
          const end = () => resolve({ code: code ?? 1, lastErrors })
          child.on('close', end)
          setTimeout(end, stderrEndMs).unref()
        })
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
