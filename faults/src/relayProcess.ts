import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A relay in a process of its own, for somebody who wishes it ill. */
export type RelayProcess = {
  /** Its websocket address, the same after each restart. */
  readonly url: string
  /** Its process now. */
  readonly pid: number
  /** Its last words. */
  words(): string
  /** Sends a signal that ends it, and waits for the end: its exit code, or the signal it died of. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>
  /** Stops it in its tracks: connections stay open, and nobody answers. */
  freeze(): void
  thaw(): void
  /** Starts it again at the same address; answers how many milliseconds it took to be ready. */
  restart(): Promise<number>
  close(): Promise<void>
}

export type RelayProcessOptions = {
  databaseUrl: string
  redisUrl?: string
  env?: Readonly<Record<string, string>>
}

/** What operators run, as `npm run build` makes it. */
const entry = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
const readyMilliseconds = 60_000
const keptCharacters = 4_000

/**
 * Starts the built server, only as a relay, on a free port of 127.0.0.1, and waits until it is ready.
 *
 * @throws Error with its last words when it ends or is not ready within a minute
 * @example
 * const relay = await startRelayProcess({ databaseUrl })
 * await relay.end('SIGKILL')
 * await relay.restart()
 * await relay.close()
 */
export async function startRelayProcess(options: RelayProcessOptions): Promise<RelayProcess> {
  let last = await launch(options, '0')
  last.child.on('close', tellEnd)
  const { port } = new URL(last.url)

  /** Whatever waits for this relay would wait in vain, and would not say why. */
  function tellEnd(code: number | null, signal: string | null): void {
    console.error(`The relay ended by itself (${signal ?? code}). ${last.words()}`)
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
    url: `ws://127.0.0.1:${port}/relay`,
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

async function launch({ databaseUrl, redisUrl, env }: RelayProcessOptions, port: string): Promise<Launched> {
  const child = spawn(process.execPath, [entry], {
    env: {
      ...process.env,
      PORT: port,
      SERVICES: 'relay',
      LIMITS: 'local',
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const words = keepWords(child)
  let timer: NodeJS.Timeout | undefined
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (how: string): void => reject(new Error(`The relay ${how}. ${words()}`.trim()))
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
