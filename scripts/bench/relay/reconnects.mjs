// Measures a relay whose clients all reconnect, as after a failure of the network, while others publish.
import { startTestPostgres } from '@latchkey/server/testing'
import { measureRate } from './measureRate.mjs'
import { startIdle, startRelay } from './processes.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */

/** Clients of one network each. A process opens at most 20,000 files on a usual system. */
const fleets = [6_000, 6_000, 6_000]
/** Each client reconnects at a random time within this time: 1,000 a second. */
const overSeconds = 18
const publishesPerSecond = 200

/** @returns {Promise<Figure[]>} */
export async function measureReconnects() {
  const postgres = await startTestPostgres()
  const relay = await startRelay({ DATABASE_URL: postgres.url })
  /** @type {Awaited<ReturnType<typeof startIdle>>[]} */
  const idle = []
  try {
    for (const [index, sockets] of fleets.entries()) {
      idle.push(await startIdle(relay.url, sockets, `127.0.${index + 1}`))
    }
    const reconnected = measureLater(() => Promise.all(idle.map((fleet) => fleet.reconnect(overSeconds))))
    // The reconnects begin when the publishers have connected.
    const run = await measureRate([relay], publishesPerSecond, [], overSeconds + 5, reconnected.start)
    const results = await reconnected.result
    const seconds = Math.max(...results.map((result) => result.seconds))
    const failures = results.reduce((sum, result) => sum + result.failures, 0)
    const note = `${fleets.reduce((sum, sockets) => sum + sockets, 0)} clients, at random times within ${overSeconds} s`
    return [
      { name: 'reconnects: all clients are back after', value: seconds, unit: 's', note },
      { name: 'reconnects: failed attempts', value: failures, unit: '' },
      { name: 'reconnects: response to a publish meanwhile, p50', value: run.response, unit: 'ms' },
      { name: 'reconnects: response to a publish meanwhile, p99', value: run.slowResponse, unit: 'ms', budget: 250 },
      { name: 'reconnects: publishes refused', value: run.sent - run.acknowledged, unit: '', budget: 0 },
      { name: 'reconnects: acknowledged and lost', value: run.sent - run.delivered, unit: 'messages', budget: 0 },
    ]
  } finally {
    await Promise.all(idle.map((fleet) => fleet.close()))
    await relay.close()
    await postgres.close()
  }
}

/**
 * @template result
 * @param {() => Promise<result>} run
 * @returns {{ start(): void, result: Promise<result> }}
 */
function measureLater(run) {
  /** @type {() => void} */
  let start = () => {}
  const result = new Promise((resolve) => (start = () => resolve(undefined))).then(run)
  return { start: () => start(), result }
}
