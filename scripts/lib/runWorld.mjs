// Runs a local world in the foreground: finds ports, starts all processes, and stops them at the end.
import { join } from 'node:path'
import { choosePorts as chooseWorldPorts } from './ports.mjs'
import { root } from './root.mjs'
import { announce, forgetUrls } from './urls.mjs'
import { claim } from './processes.mjs'

/**
 * @typedef {import('@latchkey/devnet').ChildEvents & { dataDir: string, ports: Record<string, number> }} WorldRequest
 * @typedef {{ urls: Record<string, string | undefined>, missing?: readonly string[], warm?(): Promise<void>, close(): Promise<void> }} RunningWorld
 */

/** npm repeats a Ctrl-C that the terminal has already sent. Two signals within this time count as one. */
const sameSignalMilliseconds = 1000
const orphanCheckMilliseconds = 500

/**
 * Runs until a signal arrives or a part of the world ends unexpectedly. Sets the exit code of the process. `finish` does what
 * may be done after the world is ready; it never rejects.
 *
 * @param {{
 *   prepare(signal: AbortSignal): Promise<void>,
 *   openWorld(request: WorldRequest): Promise<RunningWorld>,
 *   choosePorts?: (environment: Readonly<Record<string, string | undefined>>) => Promise<Record<string, number>>,
 *   finish?(signal: AbortSignal): Promise<void>,
 *   environment?: Readonly<Record<string, string | undefined>>,
 * }} options
 */
export async function runWorld({
  prepare,
  openWorld,
  choosePorts = chooseWorldPorts,
  finish,
  environment = process.env,
}) {
  const dataDir = environment['LATCHKEY_DATA_DIR'] ?? join(root, '.latchkey/data')
  const urlsFile = environment['LATCHKEY_URLS'] ?? join(root, '.latchkey/urls.json')
  const ending = waitUntilEnded(environment)
  /** @type {RunningWorld | undefined} */
  let world
  /** @type {import('./processes.mjs').Claim | undefined} */
  let processes
  try {
    await prepare(ending.signal)
    processes = await claim(dataDir)
    ending.onSecondSignal(processes.kill)
    const ports = await choosePorts(environment)
    ending.signal.throwIfAborted()
    // The addresses of a killed start are invalid.
    forgetUrls(urlsFile)
    const onExit = (/** @type {string} */ part, /** @type {string} */ reason) =>
      ending.fail(new Error(`${part} ended unexpectedly, so everything is stopped. Its last output: ${reason}`))
    console.log('Starting the local world …')
    world = await openWorld({ dataDir, ports, onProcess: processes.add, onExit, signal: ending.signal })
    ending.signal.throwIfAborted()
    announce(urlsFile, world.urls, world.missing)
    void world.warm?.()
    void finish?.(ending.signal)
    await ending.ended
  } catch (error) {
    if (!ending.isStopRequested()) complain(error)
  }
  if (world !== undefined) forgetUrls(urlsFile)
  await world?.close()
  processes?.release()
  // Exits even if a socket or a timer is still open.
  process.exit()
}

/**
 * Resolves when a signal ends the world. Rejects when a part of the world fails.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 */
function waitUntilEnded(environment) {
  const stopping = new AbortController()
  let stopRequestedAt = 0
  let kill = () => {}
  /** @type {(error: Error) => void} */
  let fail = () => {}
  /** @type {Promise<void>} */
  const ended = new Promise((resolve, reject) => {
    fail = reject
    const stop = () => {
      if (stopRequestedAt === 0) {
        stopRequestedAt = performance.now()
        console.log('\nStopping …')
        stopping.abort()
        resolve()
      } else if (performance.now() - stopRequestedAt > sameSignalMilliseconds) {
        kill()
        process.exit(1)
      }
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
    // A killed npm passes no signal on. Without npm, a process may outlive the shell that started it.
    if (environment['npm_lifecycle_event'] !== undefined) onOrphaned(stop)
  })
  // A part can fail before the promise is awaited.
  ended.catch(() => {})
  // The terminal may be closed, which is one of the reasons to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    ended,
    fail,
    signal: stopping.signal,
    isStopRequested: () => stopRequestedAt > 0,
    /** @param {() => void} killer */
    onSecondSignal: (killer) => void (kill = killer),
  }
}

/**
 * Calls back when the parent of this process has ended.
 *
 * @param {() => void} callback
 */
function onOrphaned(callback) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    callback()
  }, orphanCheckMilliseconds)
  watch.unref()
}

/** @param {unknown} error */
function complain(error) {
  process.exitCode = 1
  // Expected failures are plain errors with a sentence. Others need their stack.
  const isForeseen = error instanceof Error && error.name === 'Error'
  console.error(isForeseen ? error.message : error)
}
