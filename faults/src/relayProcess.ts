import { startKillableServer, type KillableServer } from './killableServer.ts'

/** A relay that runs as its own process. `url` is its websocket URL. */
export type RelayProcess = KillableServer

export type RelayProcessOptions = {
  databaseUrl: string
  redisUrl?: string
  env?: Readonly<Record<string, string>>
}

/**
 * Starts the relay of the built server on a free port of 127.0.0.1, and waits until it is ready.
 *
 * @throws Error with its last output if it exits or is not ready within a minute
 * @example
 * const relay = await startRelayProcess({ databaseUrl })
 * await relay.end('SIGKILL')
 * await relay.restart()
 * await relay.close()
 */
export async function startRelayProcess({ databaseUrl, redisUrl, env }: RelayProcessOptions): Promise<RelayProcess> {
  const server = await startKillableServer({
    services: 'relay',
    env: { DATABASE_URL: databaseUrl, ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }), ...env },
  })
  return {
    ...server,
    url: `ws://${new URL(server.url).host}/relay`,
    // A restart changes it.
    get pid() {
      return server.pid
    },
  }
}
