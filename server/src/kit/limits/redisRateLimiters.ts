import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { connectRedis } from '../bus/connectRedis.ts'
import { Problem } from '../http/problem.ts'
import type { Clock } from '../runtime/clock.ts'
import { createLocalFirstLimiter, type SubtractShared } from './localFirstLimiter.ts'
import type { RateLimiter, RateLimiters } from './rateLimiters.ts'
import { createRedisConcurrency } from './redisConcurrency.ts'
import { createTokenBuckets, type Rate } from './tokenBucket.ts'

export type RedisRateLimitersOptions = {
  /** `redis://…`, or `rediss://…` for TLS. */
  url: string
  /** Times the buckets that this process falls back to. Redis times the shared ones. */
  clock: Clock
  log: FastifyBaseLogger
}

const keyPrefix = 'latchkey/limit'
const commandTimeoutMs = 500
/** The connection to Redis is tried again every two seconds. */
const refusalSeconds = 5

/** Reads a bucket, filled up to now. It uses the time of Redis, since the clocks of the processes differ. */
const readBucket = `
  local perSecond, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local time = redis.call('TIME')
  local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
  local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens, at = tonumber(bucket[1] or burst), tonumber(bucket[2] or now)
  tokens = math.min(burst, tokens + math.max(0, now - at) * perSecond)
`

const writeBucket = `
  redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.6f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / perSecond * 1000) + 1000)
`

/**
 * Takes tokens in one round trip, atomic because Redis runs one script at a time. Returns 0, or the seconds until there are
 * enough tokens.
 */
const takeScript = `${readBucket}
  local missing = wanted - tokens
  if missing <= 0 then tokens = tokens - wanted end
  ${writeBucket}
  if missing <= 0 then return 0 end
  return math.ceil(missing / perSecond)
`

/**
 * Subtracts tokens that were taken already, and returns the tokens that are left. The processes may have allowed more than the
 * bucket had. It then owes all of that: with a limit of the debt, a client of many processes would get a multiple of the rate.
 */
const subtractScript = `${readBucket}
  tokens = tokens - wanted
  ${writeBucket}
  return string.format('%.6f', tokens)
`

/**
 * Connects the rate limits of several server processes to one Redis, so that a client gets the same rate no matter how
 * many processes there are. While Redis is unreachable, each process limits on its own.
 *
 * @example const rateLimiters = await connectRedisRateLimiters({ url: 'redis://127.0.0.1:6379', clock, log })
 */
export async function connectRedisRateLimiters({ url, clock, log }: RedisRateLimitersOptions): Promise<RateLimiters> {
  const client = await connectRedis(url, { commandTimeout: commandTimeoutMs, log })
  const concurrency = createRedisConcurrency(client)
  client.on('close', () => log.warn('the connection to Redis is lost; rate limits count per process until it is back'))

  return {
    create: (name, rate, { whileUnavailable } = {}) => {
      const takeShared = createSharedLimit(client, `${keyPrefix}/${name}`, rate)
      if (whileUnavailable === 'refuse') return { take: (key, tokens) => takeShared(key, tokens).catch(refuse) }
      const ownBuckets = createTokenBuckets(rate, clock)
      return { take: (key, tokens) => takeShared(key, tokens).catch(() => ownBuckets.get(key).take(tokens)) }
    },
    createLocalFirst: (name, rate) =>
      createLocalFirstLimiter({ rate, clock, subtractShared: createSubtraction(client, `${keyPrefix}/${name}`, rate) }),
    createConcurrency: concurrency.create,
    spansProcesses: true,
    isReachable: () => client.status === 'ready',
    async close() {
      await concurrency.close()
      client.removeAllListeners('close')
      client.disconnect()
    },
  }
}

function createSharedLimit(client: Redis, prefix: string, rate: Rate): RateLimiter['take'] {
  return async (key, tokens = 1) => {
    const seconds = await client.eval(takeScript, 1, `${prefix}/${key}`, rate.perSecond, rate.burst, tokens)
    return Number(seconds) === 0 ? { ok: true } : { ok: false, retryAfter: Number(seconds) }
  }
}

/** Subtracts in one round trip for all keys. */
function createSubtraction(client: Redis, prefix: string, rate: Rate): SubtractShared {
  return async (taken) => {
    const pipeline = client.pipeline()
    for (const [key, tokens] of taken) {
      pipeline.eval(subtractScript, 1, `${prefix}/${key}`, rate.perSecond, rate.burst, tokens)
    }
    const results = (await pipeline.exec()) ?? []
    const levels = new Map<string, number>()
    for (const [index, key] of [...taken.keys()].entries()) {
      const [error, level] = results[index] ?? []
      if (error === null) levels.set(key, Number(level))
    }
    return levels
  }
}

function refuse(cause: unknown): never {
  const sentence = 'The service is unavailable for a moment. Try again in a few seconds.'
  throw new Problem(503, 'rate_limited', sentence, { cause, retryAfter: refusalSeconds })
}
