import type { FastifyBaseLogger } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'

const timing = { longestRetryMs: 2_000, connectTimeoutMs: 5_000 } as const

/**
 * Connects to Redis and reconnects whenever the connection breaks. Commands fail at once while there is no connection. If
 * Redis is unreachable now, a server still starts and behaves as if it had lost the connection: a restart must not depend
 * on more than the database.
 */
export async function connectRedis(
  url: string,
  { log, ...options }: Pick<RedisOptions, 'commandTimeout'> & { log: FastifyBaseLogger },
): Promise<Redis> {
  const client = new Redis(url, {
    ...options,
    lazyConnect: true,
    connectTimeout: timing.connectTimeoutMs,
    // Commands that waited for the connection would come too late, and in any number.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) =>
      Math.min(timing.longestRetryMs, 50 * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2),
  })
  // Without a listener the library writes to the console.
  client.on('error', () => undefined)
  await client.connect().catch(() => {
    log.error(`Redis at ${new URL(url).host} cannot be reached. Start it, or leave REDIS_URL out. Connecting again.`)
  })
  return client
}
