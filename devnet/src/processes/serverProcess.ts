import { startChild, type Child, type ChildEvents } from './startChild.ts'

/** A running server process, which a test can kill, freeze and restart. */
export type ServerProcess = {
  /** The same after each restart. */
  readonly url: string
  /** The URL of the embedded wallet's frame, if the server serves it. */
  readonly frameUrl: string | undefined
  /** Its current process id. */
  readonly pid: number
  /** Returns the last lines of its output. */
  lastLines(): string
  /** Sends a signal that ends the server, and resolves with its exit code or with the signal that ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>
  /** Freezes the process: connections stay open without responses. */
  freeze(): void
  /** Continues a frozen process. */
  thaw(): void
  /** Restarts the server from its current build, at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type ServerProcessOptions = ChildEvents & {
  /** Starts error messages; `The server` by default. */
  name?: string
  /** The path of the server's built entry. */
  entry: string
  /** A free port by default. */
  port?: number
  env: Readonly<Record<string, string>>
}

/**
 * Starts the server as its own process, as an operator would, and waits until it is ready.
 *
 * @throws Error with the server's last lines if it exits or is not ready within 60 seconds.
 * @example
 * const auth = await startServerProcess({ entry: 'server/dist/main.js', env: { SERVICES: 'auth', AUTH_DATABASE_URL } })
 * await auth.end('SIGKILL')
 * await auth.restart()
 * await auth.close()
 */
export async function startServerProcess({
  name = 'The server',
  entry,
  port = 0,
  env,
  ...events
}: ServerProcessOptions): Promise<ServerProcess> {
  const start = (onPort: string, sitePort?: string): Promise<Child<Ready>> =>
    startChild({
      name,
      command: process.execPath,
      args: [entry],
      env: { ...env, PORT: onPort, ...(sitePort !== undefined && { FRAME_PORT: sitePort }) },
      isReady: { inMessage: readReady },
      // The first start creates a database.
      readySeconds: 180,
      closeSeconds: 15,
      ...events,
    })
  let running = start(String(port))
  let current = await running
  const { url, frameUrl } = current.ready
  // A server that failed to start has been stopped already.
  const close = async (): Promise<void> => (await running.catch(() => undefined))?.close()
  return {
    url,
    frameUrl,
    get pid() {
      return current.pid
    },
    lastLines: () => current.lastLines(),
    end: (signal) => current.end(signal),
    freeze: () => current.signal('SIGSTOP'),
    thaw: () => current.signal('SIGCONT'),
    async restart() {
      running = close().then(() => start(new URL(url).port, frameUrl && new URL(frameUrl).port))
      current = await running
    },
    close,
  }
}

type Ready = { url: string; frameUrl: string | undefined }

function readReady(message: unknown): Ready | undefined {
  if (typeof message !== 'object' || message === null || !('url' in message)) return undefined
  const { url } = message
  const frameUrl: unknown = Reflect.get(message, 'frameUrl')
  return typeof url === 'string' ? { url, frameUrl: typeof frameUrl === 'string' ? frameUrl : undefined } : undefined
}
