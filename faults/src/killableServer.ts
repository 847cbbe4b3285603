import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server process that a test can kill, freeze and restart. */
export type KillableServer = {
  /** Its address, the same after each restart. */
  readonly url: string
  /** Its process now. */
  readonly pid: number
  /** The last lines of its output. */
  words(): string
  /** Sends a signal that ends it, and waits for the end: its exit code, or the signal it died of. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>
  /** Freezes the process: connections stay open without responses. */
  freeze(): void
  thaw(): void
  /** Starts it again at the same address; answers how many milliseconds it took to be ready. */
  restart(): Promise<number>
  close(): Promise<void>
}

export type KillableServerOptions = {
  /** Like `relay` or `auth`, as SERVICES says it. */
  services: string
  env: Readonly<Record<string, string>>
}

/** The built server, as operators run it. */
const entry = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
const readyMilliseconds = 60_000
const keptCharacters = 4_000

/**
 * Starts the built server on a free port of 127.0.0.1, and waits until it is ready.
 *
 * @throws Error with its last output if it ends or is not ready within a minute
 * @example
 * const auth = await startKillableServer({ services: 'auth', env: { AUTH_DATABASE_URL, … } })
 * await auth.end('SIGKILL')
 * await auth.restart()
 * await auth.close()
 */
export async function startKillableServer(options: KillableServerOptions): Promise<KillableServer> {
  let last = await launch(options, '0')
  last.child.on('close', tellEnd)
  const { port } = new URL(last.url)

  /** Logs an unexpected end, because tests that wait for this server would fail without a reason. */
  function tellEnd(code: number | null, signal: string | null): void {
    console.error(`The server (${options.services}) ended by itself (${signal ?? code}). ${last.words()}`)
  }

  async function end(signal: NodeJS.Signals): Promise<number | string> {
    const { child } = last
    if (child.exitCode !== null || child.signalCode !== null) return child.signalCode ?? child.exitCode ?? 0
    const ended = once(child, 'exit')
    child.off('close', tellEnd)
    child.kill(signal)
    await ended
    return child.signalCode ?? child.exitCode ?? 0
  }

  return {
    url: last.url,
    get pid() {
      return last.child.pid ?? 0
    },
    words: () => last.words(),
    end,
    freeze: () => void last.child.kill('SIGSTOP'),
    thaw: () => void last.child.kill('SIGCONT'),
    async restart() {
      const since = performance.now()
      last = await launch(options, port)
      last.child.on('close', tellEnd)
      return Math.round(performance.now() - since)
    },
    // Whatever state a failed test left it in, frozen included.
    close: async () => void (await end('SIGKILL')),
  }
}

type Launched = { child: ChildProcess; url: string; words(): string }

async function launch({ services, env }: KillableServerOptions, port: string): Promise<Launched> {
  const child = spawn(process.execPath, [entry], {
    env: {
      ...process.env,
      PORT: port,
      SERVICES: services,
      LIMITS: 'local',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const words = keepWords(child)
  let timer: NodeJS.Timeout | undefined
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (how: string): void => reject(new Error(`The server (${services}) ${how}. ${words()}`.trim()))
    timer = setTimeout(() => fail('was not ready within a minute'), readyMilliseconds)
    child.once('error', ({ message }) => fail(`could not be started: ${message}`))
    child.once('close', (code, signal) => fail(`ended at once (${signal ?? code})`))
    child.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'url' in message) resolve(String(message.url))
    })
  }).finally(() => clearTimeout(timer))
  return { child, url, words }
}

function keepWords({ stdout, stderr }: ChildProcess): () => string {
  let words = ''
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-keptCharacters)))
  }
  return () => words
}
