// The costs of messages and connections of a relay, calibrated with measured runs. Nothing here was measured on several machines.
import { measuredBridge, measuredCpu, measuredMemory } from './measuredRuns.mjs'

/** @typedef {import('./relayInputs.mjs').Engine} Engine */

/**
 * Milliseconds of a process that stores each message by itself: 250/s in each of four processes. An assumption for NATS, where such
 * a rate was not measured.
 */
const singleMessageMs = 1.32
/**
 * Processor time of the store for a message, in milliseconds: PostgreSQL with four processes at 1,000/s (fewer processes share more
 * commits), each of three NATS nodes at 1,000/s.
 */
const storeMessageMs = { postgresql: 0.322, nats: 0.284 }
/** 1,000 clients a second reconnected to one process, which uses one core: an upper bound. */
export const coresPerConnect = 1 / 1_000

/** The memory of a process without connections: 167 MiB after its start, 181 to 195 after some load. */
const baseMegabytes = 180

/** Bytes of a row beyond its message: 3 million messages of 512 bytes took 2.9 GB. */
const bytesPerRow = 2.9e9 / 3e6 - 512
/** An assumption: subject, header and receipt of an entry. */
const bytesPerEntry = 400

/**
 * Processor cores that a process uses at a rate of messages. Messages that arrive together share work, such as a commit, so that a
 * busy process has a fixed cost for groups and a small one for each message. A line fits the measured runs of each store.
 *
 * @param {Engine} engine
 * @param {number} rate messages per second of this process
 */
export function coresOf(engine, rate) {
  const { cores, perMessage } = fitCores(measuredCpu.filter((run) => run.engine === engine))
  return Math.min((rate * singleMessageMs) / 1_000, cores + rate * perMessage)
}

/** Processor cores of each node of the store. @param {Engine} engine @param {number} rate of all processes */
export function storeCoresOf(engine, rate) {
  return (rate * storeMessageMs[engine]) / 1_000
}

/** Memory of a process. @param {number} connections */
export function megabytesOf(connections) {
  return baseMegabytes + connectionMegabytesOf(connections)
}

/** Memory that idle connections add to a process: the mean of the measured runs. @param {number} connections */
export function connectionMegabytesOf(connections) {
  const perConnection = measuredMemory.map((run) => run.megabytes / run.connections)
  return (connections * perConnection.reduce((sum, each) => sum + each, 0)) / perConnection.length
}

/** Bytes on the disk of one copy. @param {Engine} engine @param {number} messageBytes */
export function storedBytesOf(engine, messageBytes) {
  return messageBytes + (engine === 'nats' ? bytesPerEntry : bytesPerRow)
}

/**
 * Limits that were measured or that the program has.
 *
 * @param {Engine} engine
 */
export function limitsOf(engine) {
  const isNats = engine === 'nats'
  return {
    /** Connections of a process, and how many can connect in a second: `npm run bench relay -- --only=reconnects`. */
    connections: 18_000,
    connects: 1_000,
    /** The highest rate at which everything arrived. */
    storeRate: isNats ? 1_000 : 10_000,
    /** Every five seconds, a process reads at most 5,000 entries of each of 16 streams: messages and receipts. */
    polledRate: isNats ? (16 * 5_000) / 5 / 2 : Infinity,
    storedMessages: isNats ? 300_000 : 3_000_000,
    /** The limit `storage` of all counts 512 bytes for each message besides its own. */
    storageGibibytes: 16,
    countedBytes: 512,
    /** At most with PostgreSQL; observed at 500/s with NATS, where the database has only keys and sums. */
    connectionsPerProcess: isNats ? 5 : 25,
  }
}

/**
 * Messages per second that a bridge forwards to a relay in another region: eight topics send at a time, and wait for each
 * response.
 *
 * @param {number} roundTripMs
 */
export function bridgeRate(roundTripMs) {
  const topics = 8
  const localMs = (topics * measuredBridge.seconds * 1_000) / measuredBridge.messages
  return (topics * 1_000) / (localMs + roundTripMs)
}

/**
 * Fits a line to the cores of a process by its rate (least squares).
 *
 * @param {readonly import('./measuredRuns.mjs').MeasuredCpu[]} runs of one store
 */
export function fitCores(runs) {
  const points = runs.map(({ processes, rate, cpuPerThousand }) => ({
    rate: rate / processes,
    cores: ((cpuPerThousand / 1_000) * (rate / 1_000)) / processes,
  }))
  const mean = (/** @type {'rate' | 'cores'} */ key) => points.reduce((sum, each) => sum + each[key], 0) / points.length
  const [rate, cores] = [mean('rate'), mean('cores')]
  const spread = points.reduce((sum, each) => sum + (each.rate - rate) ** 2, 0)
  const perMessage = points.reduce((sum, each) => sum + (each.rate - rate) * (each.cores - cores), 0) / spread
  return { cores: cores - perMessage * rate, perMessage }
}
