import { startChild, type Child, type ChildEvents } from './startChild.ts'

/** A running server process. */
export type ServerProcess = {
  url: string
  /** The URL of the embedded wallet's frame, if the server serves it. */
  frameUrl: string | undefined
  /** Restarts the server from its current build, at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type ServerProcessOptions = ChildEvents & {
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
 */
export async function startServerProcess({
  entry,
  port = 0,
  env,
  ...events
}: ServerProcessOptions): Promise<ServerProcess> {
  const start = (onPort: string, sitePort?: string): Promise<Child<Ready>> =>
    startChild({
      name: 'The server',
      command: process.execPath,
      args: [entry],
      env: { ...env, PORT: onPort, ...(sitePort !== undefined && { FRAME_PORT: sitePort }) },
      isReady: { inMessage: readReady },
      // The first start creates a database.
      readySeconds: 60,
      closeSeconds: 15,
      ...events,
    })
  let running = start(String(port))
  const {
    ready: { url, frameUrl },
  } = await running
  // A server that failed to start has been stopped already.
  const close = async (): Promise<void> => (await running.catch(() => undefined))?.close()
  return {
    url,
    frameUrl,
    async restart() {
      running = close().then(() => start(new URL(url).port, frameUrl && new URL(frameUrl).port))
      await running
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
