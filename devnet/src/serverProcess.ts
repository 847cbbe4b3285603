import { startChild, type Child, type ChildEvents } from './childProcess.ts'

/** A server process that is ready. */
export type ServerProcess = {
  url: string
  /** Ends it and starts what is built now, at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type ServerProcessOptions = ChildEvents & {
  /** The built entry of the server. */
  entry: string
  /** Any free one when left out. */
  port?: number
  env: Readonly<Record<string, string>>
}

/**
 * Starts the server as a process of its own, as an operator would, and waits until it says that it is ready.
 *
 * @throws Error with the server's last lines when it ends or is not ready within 60 seconds.
 */
export async function startServerProcess({
  entry,
  port = 0,
  env,
  ...events
}: ServerProcessOptions): Promise<ServerProcess> {
  const start = (onPort: string): Promise<Child<string>> =>
    startChild({
      name: 'The server',
      command: process.execPath,
      args: [entry],
      env: { ...env, PORT: onPort },
      isReady: { inMessage: urlOf },
      // The first start of all makes a database.
      readySeconds: 60,
      closeSeconds: 15,
      ...events,
    })
  let running = start(String(port))
  const { ready: url } = await running
  // One that failed to start has been stopped already.
  const close = async (): Promise<void> => (await running.catch(() => undefined))?.close()
  return {
    url,
    async restart() {
      running = close().then(() => start(new URL(url).port))
      await running
    },
    close,
  }
}

function urlOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('url' in message)) return undefined
  return typeof message.url === 'string' ? message.url : undefined
}
