import { randomUUID } from 'node:crypto'
import type { ChainableCommander, Redis } from 'ioredis'
import { createOwnCounts, runOnce, type ConcurrencyLimiter, type OwnCounts } from './concurrencyLimiter.ts'

/** The concurrency limits that several processes share over one Redis. */
export type RedisConcurrency = {
  /** Limits of the same name share their counts. */
  create(name: string): ConcurrencyLimiter
  /** Forgets what is open in this process. */
  close(): Promise<void>
}

const keyPrefix = 'latchkey/open'
/** A process that was killed counts no longer after this time. Its clients have reconnected elsewhere by then. */
const processLifetimeMs = 5_000
const beatMs = 1_000
/** Counts of keys that nothing touches are forgotten after a week. */
const keyLifetimeMs = 7 * 86_400_000

/**
 * Stores what this process has open of a key, if all processes together stay within the maximum. A key is a hash with one field
 * per process.
 */
const acquireScript = `
  local prefix, process, own, maximum = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
  local total, fields = own, redis.call('HGETALL', KEYS[1])
  for index = 1, #fields, 2 do
    local other = fields[index]
    if other ~= process then
      if redis.call('EXISTS', prefix .. other) == 1 then total = total + tonumber(fields[index + 1])
      else redis.call('HDEL', KEYS[1], other) end
    end
  end
  if total > maximum then return 0 end
  redis.call('HSET', KEYS[1], process, own)
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('SET', prefix .. process, 1, 'PX', ARGV[6])
  return 1
`

/**
 * Creates concurrency limits over a connection to Redis. Each process writes its own counts, so nothing is counted for a process
 * that was killed. While Redis is unreachable, each process limits on its own.
 */
export function createRedisConcurrency(client: Redis): RedisConcurrency {
  const counts = createOwnCounts()
  const shared = createSharedCounts(client, counts)

  /** False if all processes together have the maximum. */
  async function isWithin(key: string, own: number, maximum: number): Promise<boolean> {
    const scriptArguments = [processKey(''), shared.process(), own, maximum, keyLifetimeMs, processLifetimeMs]
    try {
      return Number(await client.eval(acquireScript, 1, key, ...scriptArguments)) === 1
    } catch {
      shared.markStale()
      return true
    }
  }

  function release(key: string): void {
    counts.add(key, -1)
    shared.write(key)
  }

  return {
    create: (name) => ({
      async acquire(id, maximum) {
        const key = `${keyPrefix}/${name}/${id}`
        if (counts.get(key) >= maximum) return undefined
        // Counted before the request, so that concurrent requests of this process count, too.
        if (await isWithin(key, counts.add(key, 1), maximum)) return runOnce(() => release(key))
        release(key)
        return undefined
      },
    }),
    close: shared.close,
  }
}

/** The counts of this process as Redis has them. */
type SharedCounts = {
  /** The id under which this process counts. */
  process(): string
  /** Writes the count of a key, without waiting. */
  write(key: string): void
  /** Says that a command failed, so that Redis may have other counts than this process. */
  markStale(): void
  close(): Promise<void>
}

/** Keeps the counts of this process in Redis alive. After a failure, all of them are written under a new id. */
function createSharedCounts(client: Redis, counts: OwnCounts): SharedCounts {
  let process = randomUUID()
  let isStale = false
  let beating: Promise<void> | undefined

  async function beat(): Promise<void> {
    const [old, wasStale] = [process, isStale]
    if (wasStale) process = randomUUID()
    isStale = false
    const pipeline = client.pipeline().set(processKey(process), 1, 'PX', processLifetimeMs, 'GET')
    if (wasStale) pipeline.del(processKey(old))
    if (wasStale) for (const [key, count] of counts.entries()) addWrite(pipeline, { key, process, count })
    const results = await execute(pipeline)
    // While the id had expired, other processes may have deleted the counts.
    if (results === undefined || (!wasStale && results[0] === null)) isStale = true
  }

  const timer = setInterval(() => (beating ??= beat().finally(() => (beating = undefined))), beatMs)
  timer.unref()

  return {
    process: () => process,
    write(key) {
      const written = execute(addWrite(client.pipeline(), { key, process, count: counts.get(key) }))
      void written.then((results) => (isStale ||= results === undefined))
    },
    markStale: () => void (isStale = true),
    async close() {
      clearInterval(timer)
      await beating
      await client.del(processKey(process)).catch(() => undefined)
    },
  }
}

function addWrite(
  pipeline: ChainableCommander,
  { key, process, count }: { key: string; process: string; count: number },
): ChainableCommander {
  return count === 0 ? pipeline.hdel(key, process) : pipeline.hset(key, process, count).pexpire(key, keyLifetimeMs)
}

/** Returns the results of all commands, or `undefined` if one failed. */
async function execute(pipeline: ChainableCommander): Promise<readonly unknown[] | undefined> {
  const results = await pipeline.exec().catch(() => null)
  return results?.every(([error]) => error === null) === true ? results.map(([, result]) => result) : undefined
}

function processKey(id: string): string {
  return `${keyPrefix}-by/${id}`
}
