// Measures the relay under load: throughput, latency, processor time and memory. The load is open-loop: slow responses
// don't slow it down.
import { startTestPostgres, startTestRedis } from '@latchkey/server/testing'
import { build } from '../build.mjs'
import { requireRedis } from '../lib/redis.mjs'
import {
  cpuMs,
  familyOf,
  findPostgres,
  putLoad,
  residentBytes,
  startBare,
  startIdle,
  startRelay,
} from './relay/processes.mjs'

/** Common options of all loads. */
const shape = { publishers: 25, subscribers: 25, topics: 200, bytes: 512, warmUpSeconds: 2 }
const seconds = 6
const rates = [2_000, 3_000, 4_000, 5_000, 6_000, 8_000]
/** Upper limit for the 99th percentile of delivery times of a sustained rate, in milliseconds. */
const latencyLimitMs = 250
const idleSockets = 10_000
/** Waiting time for garbage collection and for connections to settle, in milliseconds. */
const restMs = 8_000

/** @typedef {import('../bench.mjs').Figure} Figure */
/** @typedef {import('./relay/processes.mjs').RelayProcess} RelayProcess */

/** @returns {Promise<Figure[]>} */
export async function measure() {
  await build()
  requireRedis()
  const redis = await startTestRedis()
  try {
    /** @type {Figure[]} */
    const figures = []
    for (const processes of [1, 2, 4]) figures.push(...(await measureProcesses(processes, redis.url)))
    return [...figures, ...(await measureBare()), ...(await measureIdle())]
  } finally {
    await redis.close()
  }
}

/**
 * @param {number} count
 * @param {string} redisUrl
 * @returns {Promise<Figure[]>}
 */
async function measureProcesses(count, redisUrl) {
  const postgres = await startTestPostgres()
  /** @type {RelayProcess[]} */
  const relays = []
  /** @type {Record<string, string>} */
  const bus = count === 1 ? {} : { REDIS_URL: redisUrl }
  try {
    // The first relay creates the tables.
    for (let index = 0; index < count; index += 1) relays.push(await startRelay({ DATABASE_URL: postgres.url, ...bus }))
    const database = findPostgres(new URL(postgres.url).port)
    const calm = await run(relays, database, 1_000)
    let best = calm
    for (const rate of rates) {
      const next = await run(relays, database, rate)
      if (!isSustained(next)) break
      best = next
    }
    return figuresOf(count, calm, best)
  } finally {
    await Promise.all(relays.map((relay) => relay.close()))
    await postgres.close()
  }
}

/** @typedef {Awaited<ReturnType<typeof run>>} Run */

/**
 * @param {readonly RelayProcess[]} relays
 * @param {number | undefined} database
 * @param {number} rate
 */
async function run(relays, database, rate) {
  const pids = relays.map(({ pid }) => pid)
  const used = { relay: 0, database: 0 }
  const result = await putLoad({ ...shape, urls: relays.map(({ url }) => url), rate, seconds }, (moment) => {
    const sign = moment === 'begin' ? -1 : 1
    used.relay += sign * cpuMs(pids)
    if (database !== undefined) used.database += sign * cpuMs(familyOf(database))
  })
  const perThousand = 1000 / (rate * seconds)
  return {
    ...result,
    rate,
    relayCpu: used.relay * perThousand,
    databaseCpu: used.database * perThousand,
    response: quantile(result.responseTimes, 0.5),
    median: quantile(result.deliveryTimes, 0.5),
    slow: quantile(result.deliveryTimes, 0.99),
  }
}

/** True if no message was lost, refused or late. @param {Run} run */
function isSustained({ sent, acknowledged, delivered, slow }) {
  return acknowledged === sent && delivered === sent && slow < latencyLimitMs
}

/** @param {number} count @param {Run} calm @param {Run} best @returns {Figure[]} */
function figuresOf(count, calm, best) {
  const where = count === 1 ? '1 process' : `${count} processes`
  const lost = calm.sent - calm.delivered + best.sent - best.delivered
  const isGoal = count === 1
  return [
    { name: `${where}: highest sustained rate`, value: best.rate, unit: '/s', ...(isGoal && { atLeast: 4_000 }) },
    { name: `${where}: delivery at that rate, p50`, value: best.median, unit: 'ms' },
    { name: `${where}: delivery at that rate, p99`, value: best.slow, unit: 'ms', budget: latencyLimitMs },
    { name: `${where}: delivery at 1,000/s, p50`, value: calm.median, unit: 'ms' },
    { name: `${where}: delivery at 1,000/s, p99`, value: calm.slow, unit: 'ms' },
    {
      name: `${where}: relay CPU per 1,000 at 1,000/s`,
      value: calm.relayCpu,
      unit: 'ms',
      ...(isGoal && { budget: 250 }),
    },
    { name: `${where}: database CPU per 1,000 at 1,000/s`, value: calm.databaseCpu, unit: 'ms' },
    { name: `${where}: relay CPU per 1,000 at the highest rate`, value: best.relayCpu, unit: 'ms' },
    { name: `${where}: acknowledged and lost`, value: lost, unit: 'messages', budget: 0 },
  ]
}

/**
 * Runs the calm load on a relay without storage, to measure the cost of the sockets alone.
 *
 * @returns {Promise<Figure[]>}
 */
async function measureBare() {
  const bare = await startBare()
  try {
    const { relayCpu, median } = await run([bare], undefined, 1_000)
    return [
      { name: 'in memory, keeping nothing: CPU per 1,000 at 1,000/s', value: relayCpu, unit: 'ms' },
      { name: 'in memory, keeping nothing: delivery, p50', value: median, unit: 'ms' },
    ]
  } finally {
    await bare.close()
  }
}

/** @returns {Promise<Figure[]>} */
async function measureIdle() {
  const postgres = await startTestPostgres()
  const relay = await startRelay({ DATABASE_URL: postgres.url })
  const bare = await startBare()
  try {
    const perSocket = async (/** @type {RelayProcess} */ server) => {
      const before = residentBytes(server.pid)
      const clients = await startIdle(server.url, idleSockets)
      await new Promise((resolve) => setTimeout(resolve, restMs))
      const after = residentBytes(server.pid)
      await clients.close()
      return (after - before) / idleSockets / 1024
    }
    const library = await perSocket(bare)
    const whole = await perSocket(relay)
    const note = `${idleSockets.toLocaleString('en')} sockets, each with a subscription`
    return [
      { name: 'memory per idle socket, the socket library alone', value: library, unit: 'kB', note },
      { name: 'memory per idle socket beyond the library', value: whole - library, unit: 'kB', budget: 12, note },
    ]
  } finally {
    await bare.close()
    await relay.close()
    await postgres.close()
  }
}

/** @param {readonly number[]} sorted @param {number} share */
function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
