// Who runs on a data folder: written down, so that the next start can stop what a killed one left behind.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A process, with the moment it was started: its id alone may be somebody else's by the time it is read.
 *
 * @typedef {{ pid: number, started: string }} Trace
 *
 * @typedef {object} Claim
 * @property {(pid: number) => void} add notes a process that leads its own process group
 * @property {() => void} kill ends all noted groups at once
 * @property {() => void} release forgets them all
 */

const patienceMilliseconds = 10_000

/**
 * Takes a data folder for this process, after stopping what an earlier start left running there, and nothing else.
 *
 * @param {string} dataDir
 * @returns {Promise<Claim>}
 * @throws {Error} when another start that is alive has it.
 */
export async function claim(dataDir) {
  const file = join(dataDir, 'processes.json')
  const { owner, children } = read(file)
  if (owner !== undefined && isAlive(owner)) {
    throw new Error(
      `Latchkey runs on this data already (process ${owner.pid}). Stop it first, or set LATCHKEY_DATA_DIR to another folder.`,
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
    // Whoever wrote it was killed halfway, before it had children to speak of.
    return { children: [] }
  }
}

/** @param {readonly Trace[]} traces */
async function stopAll(traces) {
  for (const { pid } of traces) signal(pid, 'SIGTERM')
  const deadline = performance.now() + patienceMilliseconds
  while (traces.some(isAlive) && performance.now() < deadline) await sleep(50)
  traces.filter(isAlive).forEach(killGroup)
}

/** @param {Trace} trace */
function killGroup({ pid }) {
  signal(-pid, 'SIGKILL')
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
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
 * When a process was started; nothing when it has ended.
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
    // The name in parentheses may hold spaces. Behind it come the state first and the start, in ticks, as the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
