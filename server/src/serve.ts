import type { ServerConfig } from './config.ts'
import { exitWithError } from './cli/exitWithError.ts'
import { startServer } from './startServer.ts'

const stopTimeoutMs = 14_000

/**
 * Runs the server until it gets a signal. The listeners are added first, so that a signal during the start leaves no
 * database running. A second signal, such as a terminal and a parent process send, has no effect.
 */
export async function serve(config: ServerConfig): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // The parent process has ended and could not stop this one.
    process.on('disconnect', () => resolve())
  })
  const server = await startServer(config)
  process.send?.({ ready: true, url: server.url, frameUrl: server.frameUrl })
  console.log(`The server listens on ${server.url}, its relay on ${server.relayUrl}.`)
  await stopped
  setTimeout(() => exitWithError(new Error('The server did not stop in time.')), stopTimeoutMs).unref()
  await server.close()
  // The channel to a parent process would keep this one alive.
  process.exit(0)
}
