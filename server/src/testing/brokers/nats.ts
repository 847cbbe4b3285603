import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../kit/runtime/freePort.ts'
import type { RelayStore } from '../../relay/storeVariables.ts'

/** A NATS server for tests. */
export type TestNatsServer = {
  readonly port: number
  readonly pid: number
  /** Ends it without warning. Its files stay. */
  kill(): Promise<void>
  /** Starts it, or starts it again with its files. */
  start(): Promise<void>
  /** Freezes it without closing its connections, until `thaw`. */
  freeze(): void
  thaw(): void
}

/** A NATS server, or a cluster of them, with JetStream. */
export type TestNats = {
  url: string
  /** The store of a relay, as `RELAY_STORE_URL` gives it. */
  store: RelayStore
  servers: readonly TestNatsServer[]
  /** Ends it and deletes its data. */
  close(): Promise<void>
}

export type TestNatsOptions = {
  /** The number of servers; 1 by default. */
  servers?: number
  /** The number of servers that are started now; all by default. `start` of the others adds them to the cluster. */
  started?: number
}

const readyMs = 60_000
const retryMs = 50

/**
 * Starts NATS on loopback: the program at `NATS_SERVER_PATH`, or `nats-server`.
 *
 * @throws Error with its output if a server exits or is not ready within a minute.
 * @example
 * const nats = await startTestNats({ servers: 3 })
 * connectTo(nats.url)
 * await nats.close()
 */
export async function startTestNats({ servers: count = 1, started = count }: TestNatsOptions = {}): Promise<TestNats> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-nats-'))
  const ports = await Promise.all(Array.from({ length: count * 2 }, () => freePort()))
  const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`)
  const servers = ports.slice(0, count).map((port, index) => {
    const cluster =
      count === 1 ? [] : ['--cluster_name', 'test', '--cluster', routes[index] ?? '', '--routes', routes.join(',')]
    const store = join(folder, `${index}`)
    const options = ['-a', '127.0.0.1', '-p', `${port}`, '-n', `server-${index}`, '-js', '-sd', store, ...cluster]
    return createServer(port, options)
  })
  await Promise.all(servers.slice(0, started).map((server) => server.start()))
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill()))
    await rm(folder, { recursive: true, force: true })
  }
  const url = `nats://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  return { url, store: { url, name: 'latchkey-relay', replicas: undefined }, servers, close }
}

/** Creates a server that is not running yet. */
function createServer(port: number, options: readonly string[]): TestNatsServer {
  let child: ChildProcess | undefined
  return {
    port,
    get pid() {
      return child?.pid ?? 0
    },
    async kill() {
      if (child !== undefined) await endChild(child)
    },
    async start() {
      child = spawnServer(options)
      await waitUntilListening(child, port)
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}

function spawnServer(options: readonly string[]): ChildProcess {
  return spawn(process.env['NATS_SERVER_PATH'] ?? 'nats-server', options, { stdio: ['ignore', 'ignore', 'pipe'] })
}

async function waitUntilListening(child: ChildProcess, port: number): Promise<void> {
  let output = ''
  child.stderr?.on('data', (text: Buffer) => (output = (output + String(text)).slice(-4_000)))
  child.once('error', ({ message }) => (output += message))
  const deadline = performance.now() + readyMs
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.pid === undefined) break
    if (await isListening(port)) return
    await sleep(retryMs)
  }
  await endChild(child)
  throw new Error(`NATS could not be started. ${output}`.trim())
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return isOpen
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
