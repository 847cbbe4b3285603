// Compares the stores of the relay in one run: PostgreSQL, one NATS server, and a cluster of three.
import { startTestNats, startTestPostgres, startTestRedis } from '@latchkey/server/testing'
import { requireNats } from '../../lib/brokers.mjs'
import { drawRuns } from './drawRuns.mjs'
import { isSustained, measureRate } from './measureRate.mjs'
import { familyOf, findPostgres, startRelay } from './processes.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */
/** @typedef {{ env: Record<string, string>, pids: number[] }} Store */

const rates = [1_000, 2_000, 4_000, 6_000]
const seconds = 4
/** The load of the runs that lose a node, which take some more seconds than that. */
const lossRate = 500
const lossSeconds = 12
const lossAfterMs = 3_000

/** @returns {Promise<Figure[]>} */
export async function measureStores() {
  process.env['NATS_SERVER_PATH'] = requireNats()
  return [
    ...(await measureStore('PostgreSQL, 1 process', { processes: 1 })),
    ...(await measureStore('NATS, 1 process', { processes: 1, servers: 1 })),
    ...(await measureStore('PostgreSQL and Redis, 2 processes', { processes: 2 })),
    ...(await measureStore('NATS, 2 processes', { processes: 2, servers: 1 })),
    ...(await measureStore('NATS with 3 replicas, 2 processes', { processes: 2, servers: 3 })),
  ]
}

/**
 * @param {string} name
 * @param {{ processes: number, servers?: number }} layout
 * @returns {Promise<Figure[]>}
 */
async function measureStore(name, { processes, servers = 0 }) {
  const postgres = await startTestPostgres()
  const nats = servers === 0 ? undefined : await startTestNats({ servers })
  const redis = nats === undefined && processes > 1 ? await startTestRedis() : undefined
  /** @type {Record<string, string>} */
  const env = {
    DATABASE_URL: postgres.url,
    ...(nats !== undefined && { RELAY_STORE_URL: nats.url }),
    ...(redis !== undefined && { REDIS_URL: redis.url }),
  }
  const relays = []
  try {
    for (let index = 0; index < processes; index += 1) relays.push(await startRelay(env))
    const pids = nats?.servers.map(({ pid }) => pid) ?? familyOf(findPostgres(new URL(postgres.url).port))
    const calm = await measureRate(relays, rates[0] ?? 0, pids, seconds)
    /** @type {[Run, ...Run[]]} */
    const runs = [calm]
    for (const rate of rates.slice(1)) {
      runs.push(await measureRate(relays, rate, pids, seconds))
      if (!runs.slice(-1).every(isSustained)) break
    }
    const lose = nats === undefined ? () => crash(pids) : () => nats.servers.at(-1)?.kill()
    // One server of NATS alone is the whole store: its loss costs what the loss of the machine does.
    return [...figuresOf(name, runs), ...(servers === 1 ? [] : await measureLoss(name, relays, lose))]
  } finally {
    await Promise.all(relays.map((relay) => relay.close()))
    await redis?.close()
    await nats?.close()
    await postgres.close()
  }
}

/**
 * Kills a server process of PostgreSQL, which then ends all others, and recovers from its log.
 *
 * @param {readonly number[]} family the first process of PostgreSQL and its descendants
 */
function crash([, child = 0]) {
  process.kill(child, 'SIGKILL')
}

/**
 * Measures what the loss of a node costs under load. Publishers don't repeat what is refused.
 *
 * @param {string} name
 * @param {readonly import('./processes.mjs').RelayProcess[]} relays
 * @param {() => unknown} lose
 * @returns {Promise<Figure[]>}
 */
async function measureLoss(name, relays, lose) {
  const run = await measureRate(relays, lossRate, [], lossSeconds, () => setTimeout(lose, lossAfterMs))
  const note = `at ${lossRate}/s for ${lossSeconds} s, p50 ${run.median.toFixed(0)} ms, p99 ${run.slow.toFixed(0)} ms`
  return [
    {
      name: `${name}: longest delivery while a node is lost`,
      value: run.deliveryTimes.at(-1) ?? NaN,
      unit: 'ms',
      note,
    },
    { name: `${name}: not confirmed while a node is lost`, value: run.sent - run.acknowledged, unit: 'messages' },
    {
      name: `${name}: confirmed and lost with a node`,
      value: Math.max(0, run.acknowledged - run.delivered),
      unit: 'messages',
      budget: 0,
    },
  ]
}

/** @typedef {Awaited<ReturnType<typeof measureRate>>} Run */

/** @param {string} name @param {readonly [Run, ...Run[]]} runs @returns {Figure[]} */
function figuresOf(name, runs) {
  const [calm] = runs
  const best = runs.findLast(isSustained) ?? calm
  const lost = calm.sent - calm.delivered + best.sent - best.delivered
  return [
    {
      name: `${name}: highest sustained rate`,
      value: isSustained(best) ? best.rate : 0,
      unit: '/s',
      lines: drawRuns(name, runs, ', by store'),
    },
    { name: `${name}: delivery at that rate, p99`, value: best.slow, unit: 'ms' },
    { name: `${name}: delivery at 1,000/s, p50`, value: calm.median, unit: 'ms' },
    { name: `${name}: delivery at 1,000/s, p99`, value: calm.slow, unit: 'ms' },
    { name: `${name}: relay CPU per 1,000 at 1,000/s`, value: calm.relayCpu, unit: 'ms' },
    { name: `${name}: store CPU per 1,000 at 1,000/s`, value: calm.storeCpu, unit: 'ms' },
    { name: `${name}: relay CPU per 1,000 at the highest rate`, value: best.relayCpu, unit: 'ms' },
    { name: `${name}: store CPU per 1,000 at the highest rate`, value: best.storeCpu, unit: 'ms' },
    { name: `${name}: acknowledged and lost`, value: lost, unit: 'messages' },
  ]
}
