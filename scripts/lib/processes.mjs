// Records the processes that use a data folder, so that the next start can stop the remains of a killed start.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A process with its start time, because the system reuses process ids.
 *
 * @typedef {{ pid: number, started: string }} Trace
 *
 * @typedef {object} Claim
 * @property {(pid: number) => void} add records a process that leads its own process group
 * @property {() => void} kill kills all recorded groups
 * @property {() => void} release deletes the records
 */

const timeoutMilliseconds = 10_000

/**
 * Claims a data folder for this process. Stops only processes that an earlier start left running there.
 *
 * @param {string} dataDir
 * @returns {Promise<Claim>}
 * @throws {Error} if another running start uses the folder.
 */
export async function claim(dataDir) {
  const file = join(dataDir, 'processes.json')
  const { owner, children } = read(file)
  if (owner !== undefined && isAlive(owner)) {
    throw new Error(
      `Another process uses this data folder (process ${owner.pid}). Stop it first, or set LATCHKEY_DATA_DIR to another folder.`,
    )
  }
  await stopAll(children.filter(isAlive))

  /** @type {Trace[]} */
  const mine = []
  const self = trace(process.pid)
  const write = () => writeFileSync(file, JSON.stringify({ owner: self, children: mine }))
  mkdirSync(dataDir, { recursive: true })
  write()
  return {
    add(pid) {
      const added = trace(pid)
      if (added === undefined) return
      mine.push(added)
      write()
    },
    kill: () => mine.filter(isAlive).forEach(killGroup),
    release: () => rmSync(file, { force: true }),
  }
}

/**
 * @param {string} file
 * @returns {{ owner?: Trace, children: Trace[] }}
 */
function read(file) {
  if (!existsSync(file)) return { children: [] }
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The writing process was killed before it started children.
    return { children: [] }
  }
}

/** @param {readonly Trace[]} traces */
async function stopAll(traces) {
  for (const { pid } of traces) signalProcess(pid, 'SIGTERM')
  const deadline = performance.now() + timeoutMilliseconds
  while (traces.some(isAlive) && performance.now() < deadline) await sleep(50)
  traces.filter(isAlive).forEach(killGroup)
}

/** @param {Trace} trace */
function killGroup({ pid }) {
  signalProcess(-pid, 'SIGKILL')
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signalProcess(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It ended in this moment.
  }
}

/** @param {Trace} trace */
function isAlive({ pid, started }) {
  return startOf(pid) === started
}

/**
 * @param {number} pid
 * @returns {Trace | undefined}
 */
function trace(pid) {
  const started = startOf(pid)
  return started === undefined ? undefined : { pid, started }
}

/**
 * Returns the start time of a process, or `undefined` if it has ended.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
function startOf(pid) {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout?.trim() || undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses can contain spaces. The state is the first field after it, the start time in ticks the
    // 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
