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
    return figuresOf(name, runs)
  } finally {
    await Promise.all(relays.map((relay) => relay.close()))
    await redis?.close()
    await nats?.close()
    await postgres.close()
  }
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
