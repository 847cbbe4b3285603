// Measures the relay under load: throughput, latency, processor time and memory. The load is open-loop: slow responses
// don't slow it down.
import { startTestPostgres, startTestRedis } from '@latchkey/server/testing'
import { build } from '../build.mjs'
import { requireRedis } from '../lib/brokers.mjs'
import { cpuLimitMs, drawRuns } from './relay/drawRuns.mjs'
import { isSustained, latencyLimitMs, measureRate } from './relay/measureRate.mjs'
import { familyOf, findPostgres, residentBytes, startBare, startIdle, startRelay } from './relay/processes.mjs'
import { measureReconnects } from './relay/reconnects.mjs'
import { measureSoak } from './relay/soak.mjs'
import { measureStored } from './relay/stored.mjs'
import { measureStores } from './relay/stores.mjs'

const rates = [2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 16_000, 20_000]
/** The rate at which the processor time is judged. It is measured even if a lower rate is not sustained. */
const judgedRate = 4_000
const goalRate = 20_000
const idleSockets = 10_000
/** Waiting time for garbage collection and for connections to settle, in milliseconds. */
const restMs = 8_000

/** @typedef {import('../bench.mjs').Figure} Figure */
/** @typedef {import('./relay/processes.mjs').RelayProcess} RelayProcess */
/** @typedef {Awaited<ReturnType<typeof measureRate>>} Run */

/**
 * @param {Readonly<Record<string, string>>} options `--only=reconnects` measures one part, `--stored=1000000` with fewer messages,
 *   `--soak=120` also runs half of the load for 120 minutes
 * @returns {Promise<Figure[]>}
 */
export async function measure({ only = '', stored = '5000000', soak }) {
  await build()
  const parts = {
    processes: measureAllProcesses,
    stored: () => measureStored(Number(stored)),
    reconnects: measureReconnects,
    stores: measureStores,
    bare: measureBare,
    idle: measureIdle,
    soak: async () => (soak === undefined ? [] : measureSoak(Number(soak))),
  }
  /** @type {Figure[]} */
  const figures = []
  for (const [name, measurePart] of Object.entries(parts)) {
    if (only === '' || only === name) figures.push(...(await measurePart()))
  }
  return figures
}

/** @returns {Promise<Figure[]>} */
async function measureAllProcesses() {
  requireRedis()
  const redis = await startTestRedis()
  try {
    /** @type {Figure[]} */
    const figures = []
    for (const processes of [1, 2, 4]) figures.push(...(await measureProcesses(processes, redis.url)))
    return figures
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
    const database = familyOf(findPostgres(new URL(postgres.url).port))
    const calm = await measureRate(relays, 1_000, database)
    /** @type {[Run, ...Run[]]} */
    const runs = [calm]
    for (const rate of rates) {
      runs.push(await measureRate(relays, rate, database))
      if (rate >= judgedRate && !runs.slice(-1).every(isSustained)) break
    }
    return figuresOf(count, runs)
  } finally {
    await Promise.all(relays.map((relay) => relay.close()))
    await postgres.close()
  }
}

/** @param {number} count @param {readonly [Run, ...Run[]]} runs from the lowest rate to the highest @returns {Figure[]} */
function figuresOf(count, runs) {
  const [calm] = runs
  const best = runs.findLast(isSustained) ?? calm
  const judged = runs.find(({ rate }) => rate === judgedRate) ?? calm
  const where = count === 1 ? '1 process' : `${count} processes`
  const lost = calm.sent - calm.delivered + best.sent - best.delivered
  const isGoal = count === 1
  return [
    {
      name: `${where}: highest sustained rate`,
      value: isSustained(best) ? best.rate : 0,
      unit: '/s',
      ...(isGoal && { atLeast: goalRate }),
      lines: drawRuns(where, runs),
    },
    { name: `${where}: delivery at that rate, p50`, value: best.median, unit: 'ms' },
    { name: `${where}: delivery at that rate, p99`, value: best.slow, unit: 'ms', budget: latencyLimitMs },
    { name: `${where}: delivery at 1,000/s, p50`, value: calm.median, unit: 'ms' },
    { name: `${where}: delivery at 1,000/s, p99`, value: calm.slow, unit: 'ms' },
    {
      name: `${where}: relay CPU per 1,000 at 1,000/s`,
      value: calm.relayCpu,
      unit: 'ms',
    },
    {
      name: `${where}: relay CPU per 1,000 at 4,000/s`,
      value: judged.relayCpu,
      unit: 'ms',
      ...(isGoal && { budget: cpuLimitMs }),
    },
    { name: `${where}: database CPU per 1,000 at 1,000/s`, value: calm.storeCpu, unit: 'ms' },
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
    const { relayCpu, median } = await measureRate([bare], 1_000)
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
      { name: 'memory per idle socket beyond the library', value: whole - library, unit: 'kB', note },
      { name: 'memory per idle socket', value: whole, unit: 'kB', budget: 12, note },
    ]
  } finally {
    await bare.close()
    await relay.close()
    await postgres.close()
  }
}
