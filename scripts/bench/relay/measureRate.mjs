import { cpuMs, runLoad } from './processes.mjs'

/** Common options of all loads. */
const shape = { publishers: 25, subscribers: 25, topics: 200, bytes: 512, warmUpSeconds: 2 }
/** Upper limit for the 99th percentile of delivery times of a sustained rate, in milliseconds. */
export const latencyLimitMs = 100

/**
 * Puts a load on relays, and measures times and processor time.
 *
 * @param {readonly import('./processes.mjs').RelayProcess[]} relays
 * @param {number} rate messages per second
 * @param {readonly number[]} [store] the processes that store the messages
 * @param {number} [seconds]
 * @param {() => void} [onBegin] called when the measured time begins
 */
export async function measureRate(relays, rate, store = [], seconds = 6, onBegin = () => {}) {
  const pids = relays.map(({ pid }) => pid)
  const used = { relay: 0, store: 0 }
  const result = await runLoad({ ...shape, urls: relays.map(({ url }) => url), rate, seconds }, (moment) => {
    if (moment === 'begin') onBegin()
    const sign = moment === 'begin' ? -1 : 1
    used.relay += sign * cpuMs(pids)
    used.store += sign * cpuMs(store)
  })
  const perThousand = 1000 / (rate * seconds)
  return {
    ...result,
    rate,
    relayCpu: used.relay * perThousand,
    storeCpu: used.store * perThousand,
    response: getQuantile(result.responseTimes, 0.5),
    slowResponse: getQuantile(result.responseTimes, 0.99),
    median: getQuantile(result.deliveryTimes, 0.5),
    slow: getQuantile(result.deliveryTimes, 0.99),
  }
}

/** True if no message was lost, refused or late. @param {Awaited<ReturnType<typeof measureRate>>} run */
export function isSustained({ sent, acknowledged, delivered, slow }) {
  return acknowledged === sent && delivered === sent && slow < latencyLimitMs
}

/** @param {readonly number[]} sorted @param {number} share */
function getQuantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
