import { readConfig } from './config.ts'
import { startServer } from './startServer.ts'

/** Whoever stops the server waits this long at most. */
const stopMilliseconds = 14_000

/**
 * Runs the server until it is told to stop. It listens for that before it starts anything, so that a stop in the
 * middle of starting leaves no database behind; a second signal (a terminal and a parent send one each) changes nothing.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // Whoever started this process is gone, so nobody would stop it.
    process.on('disconnect', () => resolve())
  })
  const server = await startServer(config)
  process.send?.({ ready: true, url: server.url, frameUrl: server.frameUrl })
  console.log(`The server listens on ${server.url}, its relay on ${server.relayUrl}.`)
  await stopped
  setTimeout(() => fail(new Error('The server did not stop in time.')), stopMilliseconds).unref()
  await server.close()
  // The channel to a parent would keep the process alive.
  process.exit(0)
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

main().catch(fail)
