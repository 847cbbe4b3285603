import { readConfig } from './config.ts'
import { startServer, type RunningServer } from './startServer.ts'

/** Runs the server until it is told to stop. A second signal does not wait. */
async function main(): Promise<void> {
  const server = await startServer(readConfig(process.env))
  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    void end(server)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  // Whoever started this process is gone, so nobody would stop it.
  process.on('disconnect', stop)
  process.send?.({ ready: true, url: server.url })
  console.log(`The server listens on ${server.url}, its relay on ${server.relayUrl}.`)
}

async function end(server: RunningServer): Promise<void> {
  const code = await server.close().then(
    () => 0,
    (error: unknown) => {
      console.error(error)
      return 1
    },
  )
  process.exit(code)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
