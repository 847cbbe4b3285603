// Runs the processes of a bench, relays and loads, and measures their processor time.
import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../lib/root.mjs'

/** @typedef {{ url: string, pid: number, close(): Promise<void> }} RelayProcess */

/**
 * Starts the built server with the relay only.
 *
 * @param {Record<string, string>} env
 * @returns {Promise<RelayProcess>}
 */
export async function startRelay(env) {
  const relay = await startServer('server/dist/main.js', {
    SERVICES: 'relay',
    LIMITS: 'local',
    LOG_LEVEL: 'warn',
    ...env,
  })
  return { ...relay, url: `${relay.url}/relay` }
}

/**
 * Starts the built server with other services.
 *
 * @param {Record<string, string>} env
 * @returns {Promise<RelayProcess>}
 */
export async function startService(env) {
  const service = await startServer('server/dist/main.js', { LIMITS: 'local', LOG_LEVEL: 'warn', ...env })
  return { ...service, url: service.url.replace(/^ws/, 'http') }
}

/** Starts the minimal relay. */
export function startBare() {
  return startServer('scripts/bench/relay/bare.mjs', {})
}

/**
 * @param {string} entry
 * @param {Record<string, string>} env
 * @returns {Promise<RelayProcess>}
 */
async function startServer(entry, env) {
  const child = fork(join(root, entry), {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = await once(child, 'message')
  return { url: String(message.url).replace(/^http/, 'ws'), pid: child.pid ?? 0, close: () => stop(child) }
}

/**
 * Opens idle connections.
 *
 * @param {string} url
 * @param {number} sockets
 * @param {string} [network] the network that they connect from, such as `127.0.1`
 */
export async function startIdle(url, sockets, network) {
  const child = fork(join(root, 'scripts/bench/relay/idle.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  child.send({ url, sockets, network })
  await once(child, 'message')
  return {
    /**
     * Breaks all connections, and reconnects each at a random time.
     *
     * @param {number} overSeconds
     * @returns {Promise<{ seconds: number, failures: number }>}
     */
    async reconnect(overSeconds) {
      child.send({ overSeconds })
      const [result] = await once(child, 'message')
      return result
    },
    close: () => stop(child),
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function stop(child) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/**
 * Puts a load on relays.
 *
 * @param {import('./load.mjs').Load} load
 * @param {(moment: 'begin' | 'end') => void} onMoment `begin` after the warm-up, `end` after the last message
 * @returns {Promise<import('./load.mjs').LoadResult>}
 */
export async function runLoad(load, onMoment) {
  const child = fork(join(root, 'scripts/bench/relay/load.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  child.send(load)
  for await (const [message] of on(child, 'message')) {
    if (typeof message === 'object') return message
    onMoment(message)
  }
  throw new Error('The load ended without a result.')
}

/**
 * Returns the processor time that processes have used, in milliseconds.
 *
 * @param {readonly number[]} pids
 */
export function cpuMs(pids) {
  return pids.reduce((sum, pid) => sum + timesOf(pid), 0)
}

/**
 * Lists a process and all its descendants.
 *
 * @param {number} pid
 * @returns {number[]}
 */
export function familyOf(pid) {
  /** @type {Map<number, number[]>} */
  const children = new Map()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const parent = Number(fieldsOf(Number(name))[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // The process has ended in the meantime.
    }
  }
  const family = [pid]
  for (const each of family) family.push(...(children.get(each) ?? []))
  return family
}

/**
 * Finds the PostgreSQL process of a port by its command line.
 *
 * @param {string} port
 */
export function findPostgres(port) {
  const found = readdirSync('/proc').find((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      return words[0]?.endsWith('postgres') === true && words[words.indexOf('-p') + 1] === port
    } catch {
      return false
    }
  })
  return Number(found)
}

/** Returns the resident memory of a process in bytes. @param {number} pid */
export function residentBytes(pid) {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/**
 * Sums up the scheduler's times of all threads of a process. The times in `stat` are sampled per tick, which is wrong
 * for work in short bursts.
 *
 * @param {number} pid
 */
function timesOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      return sum + Number(nanoseconds) / 1e6
    }, 0)
  } catch {
    // The process has ended in the meantime.
    return 0
  }
}

/** Returns the fields after the process name, which can contain any character. @param {number} pid */
function fieldsOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
}
