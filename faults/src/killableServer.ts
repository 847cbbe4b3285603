import { fileURLToPath } from 'node:url'
import { startServerProcess, type ServerProcess } from '@latchkey/devnet'

/** A server process that a test kills, freezes and restarts. */
export type KillableServer = ServerProcess

export type KillableServerOptions = {
  /** The value of `SERVICES`, for example `relay` or `auth`. */
  services: string
  env: Readonly<Record<string, string>>
  /** Receives everything that it writes to its output, across restarts. */
  onOutput?(text: string): void
}

/** The built server, as operators run it. */
const entry = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

/**
 * Starts the built server on a free port of 127.0.0.1, and waits until it is ready. Closing it kills it.
 *
 * @throws Error with its last output if it exits or is not ready within a minute
 * @example
 * const auth = await startKillableServer({ services: 'auth', env: { AUTH_DATABASE_URL } })
 * await auth.end('SIGKILL')
 * await auth.restart()
 * await auth.close()
 */
export async function startKillableServer({ services, env, onOutput }: KillableServerOptions): Promise<KillableServer> {
  const server = await startServerProcess({
    name: `The server (${services})`,
    entry,
    env: { SERVICES: services, LIMITS: 'local', LOG_LEVEL: 'warn', ...env },
    ...(onOutput !== undefined && { onOutput }),
    // A test that waits for this server would otherwise fail without a reason.
    onExit: (name, reason) => console.error(`${name} exited by itself: ${reason}`),
  })
  return {
    ...server,
    get pid() {
      return server.pid
    },
    // A failed test may leave it frozen, and a frozen process does not handle SIGTERM.
    close: async () => void (await server.end('SIGKILL')),
  }
}
