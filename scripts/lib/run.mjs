import { spawn } from 'node:child_process'
import { root } from './root.mjs'

const keptLines = 40

/**
 * Runs a Node.js program to its end. Shows its output only if it fails.
 *
 * @param {string} what display name, for example `The build`
 * @param {readonly string[]} args the script and its arguments
 * @param {{ cwd?: string, signal?: AbortSignal }} [options]
 * @returns {Promise<void>}
 * @throws {Error} with the name and the last lines of output.
 */
export async function run(what, args, { cwd = root, signal } = {}) {
  const child = spawn(process.execPath, [...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more) => void (text = (text + more).slice(-50_000)))
  }
  const code = await new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  signal?.removeEventListener('abort', end)
  if (code === 0) return
  throw new Error(`${what} failed.\n${text.trim().split('\n').slice(-keptLines).join('\n')}`)
}
