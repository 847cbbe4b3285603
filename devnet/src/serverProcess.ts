import { startChild, type ChildEvents } from './childProcess.ts'

/** A server process that is ready. */
export type ServerProcess = { url: string; close(): Promise<void> }

export type ServerProcessOptions = ChildEvents & {
  /** The built entry of the server. */
  entry: string
  env: Readonly<Record<string, string>>
}

/**
 * Starts the server as a process of its own, as an operator would, and waits until it says that it is ready.
 *
 * @throws Error with the server's last lines when it ends or is not ready within 60 seconds.
 */
export async function startServerProcess({ entry, env, ...events }: ServerProcessOptions): Promise<ServerProcess> {
  const { ready: url, close } = await startChild({
    name: 'The server',
    command: process.execPath,
    args: [entry],
    env,
    isReady: { inMessage: urlOf },
    // The first start of all makes a database.
    readySeconds: 60,
    closeSeconds: 15,
    ...events,
  })
  return { url, close }
}

function urlOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('url' in message)) return undefined
  return typeof message.url === 'string' ? message.url : undefined
}
