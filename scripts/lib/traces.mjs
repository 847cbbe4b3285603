// What a start leaves behind: the addresses for people and programs, and the processes for the next start.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Prints the table of addresses, and writes them down in one step so that nobody reads half of them.
 *
 * @param {string} file
 * @param {Record<string, string>} urls
 */
export function announce(file, urls) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(urls, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  const names = Object.keys(urls)
  const width = Math.max(...names.map((name) => name.length))
  const rows = names.map((name) => `  ${name.padEnd(width)}  ${urls[name]}`)
  console.log(['', 'Latchkey is ready.', '', ...rows, '', 'Ctrl-C stops all of it.'].join('\n'))
}

/** @param {string} file */
export function forgetUrls(file) {
  rmSync(file, { force: true })
}

/**
 * Writes down which processes belong to a data folder, with the moment each was started: a process id alone may
 * be somebody else's by the time it is read.
 *
 * @param {string} dataDir
 * @param {readonly number[]} pids
 */
export function rememberProcesses(dataDir, pids) {
  const file = traceFile(dataDir)
  if (pids.length === 0) return rmSync(file, { force: true })
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify(pids.map((pid) => ({ pid, started: startOf(pid) }))))
}

/**
 * Stops what an earlier start left running because it was killed, and nothing else.
 *
 * @param {string} dataDir
 */
export async function stopLeftovers(dataDir) {
  const file = traceFile(dataDir)
  if (!existsSync(file)) return
  /** @type {Array<{ pid: number, started: string | undefined }>} */
  const traces = JSON.parse(readFileSync(file, 'utf8'))
  const ours = traces.filter(({ pid, started }) => started !== undefined && startOf(pid) === started)
  for (const { pid } of ours) process.kill(pid, 'SIGTERM')
  for (let wait = 0; wait < 100 && ours.some(({ pid, started }) => startOf(pid) === started); wait += 1)
    await sleep(100)
  for (const { pid, started } of ours) if (startOf(pid) === started) process.kill(pid, 'SIGKILL')
  rmSync(file, { force: true })
}

/** @param {string} dataDir */
function traceFile(dataDir) {
  return join(dataDir, 'processes.json')
}

/**
 * When a process was started, in ticks of the system; nothing when it is gone or the system does not tell.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces; the start time is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
