// Plans a relay for a number of connected wallets: connections, processes, stores, traffic, cost, and the first limit that growth
// reaches. All regions share one relay: processes near the users, and one store. In PostgreSQL it is in the first region; in
// NATS its replicas are spread over the regions.
import { coresOf, coresPerConnect, limitsOf, megabytesOf, storedBytesOf, storeCoresOf } from './relayCosts.mjs'
import { wireBytes } from './relayInputs.mjs'

/** @typedef {import('./relayInputs.mjs').RelayInputs} RelayInputs */
/** @typedef {import('./relayInputs.mjs').Region} Region */
/** @typedef {import('./relayInputs.mjs').Engine} Engine */
/** @typedef {{ connections: number, connects: number, messages: number }} Load of a moment; connects and messages per second */
/** @typedef {ReturnType<typeof planRegion>} RegionPlan */
/** @typedef {{ name: string, used: number, limit: number }} Limit */

const [daySeconds, monthSeconds] = [86_400, 30 * 86_400]
const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** The local hour with the most use. */
const busiestHour = 20
const coreGigabytes = 4

/**
 * @param {{ wallets: number, engine: Engine, regions: readonly Region[], inputs: RelayInputs }} options
 */
export function planRelay({ wallets, engine, regions, inputs }) {
  const plans = regions.map((region) => planRegion({ wallets, engine, region, regions, inputs }))
  const total = hours.map((hour) => sum(plans.map(({ loads }) => loads[hour]?.messages ?? 0)))
  const mean = sum(total) / hours.length
  const peak = Math.max(...total)
  const processes = sum(plans.map((plan) => plan.processes))
  const storedMessages = mean * 3_600 * inputs.mailboxHours
  const store = planStore({ engine, peak, storedMessages, inputs })
  const crossRegion = regions.length === 1 ? 0 : crossRegionBytes({ engine, regions, processes, mean, inputs })
  const limits = listLimits({ engine, processes, peak, storedMessages, inputs })
  const cost =
    inputs.coreMonth * (store.cores + sum(plans.map(({ cores }) => cores))) +
    inputs.storageMonth * inputs.replicas * store.gigabytes +
    (monthSeconds / 1e9) * (inputs.egress * sum(plans.map(({ sent }) => sent)) + inputs.crossRegion * crossRegion)
  return { regions: plans, processes, peak, mean, storedMessages, store, crossRegion, limits, cost }
}

/**
 * @param {{ wallets: number, engine: Engine, region: Region, regions: readonly Region[], inputs: RelayInputs }} options
 */
function planRegion({ wallets, engine, region, regions, inputs }) {
  const own = wallets * region.share
  const loads = hours.map((hour) => loadOf(own, hour + region.utcOffset, inputs))
  const connections = Math.max(...loads.map((load) => load.connections))
  const connects = Math.max(...loads.map((load) => load.connects))
  const messages = Math.max(...loads.map((load) => load.messages))
  const processes = countProcesses({ engine, connections, connects, messages, inputs })
  const perProcess = { messages: messages / processes, connects: connects / processes }
  // Each message is sent once, delivered once, and confirmed twice.
  const meanMessages = mean(loads.map((load) => load.messages))
  const sent =
    meanMessages * (inputs.messageBytes + wireBytes.envelope + wireBytes.receipts / 2) +
    mean(loads.map((load) => load.connections)) * (wireBytes.pingPerSecond / 2) +
    mean(loads.map((load) => load.connects)) * wireBytes.connect * (2 / 3)
  return {
    name: region.name,
    loads,
    connections,
    connects,
    messages,
    processes,
    utilization: coresOf(engine, perProcess.messages) + perProcess.connects * coresPerConnect,
    megabytesPerProcess: megabytesOf(connections / processes),
    cores: Math.max(
      processes * inputs.coresPerProcess,
      (processes * megabytesOf(connections / processes)) / 1024 / coreGigabytes,
    ),
    /** Bytes that are sent to clients per second, on average. */
    sent,
    /** Milliseconds that distance adds to a publish, on average. */
    addedMs: addedDelay(engine, region, regions),
  }
}

/**
 * Returns the load of users at an hour of their day.
 *
 * @param {number} wallets
 * @param {number} localHour
 * @param {RelayInputs} inputs
 * @returns {Load}
 */
function loadOf(wallets, localHour, inputs) {
  const use = wallets * (1 + (inputs.dailyPeak - 1) * Math.cos((2 * Math.PI * (localHour - busiestHour)) / 24))
  return {
    connections: use * (inputs.onlineWallets + inputs.onlinePages),
    connects: (use * (inputs.wakesPerWalletDay + inputs.pageLoadsPerWalletDay)) / daySeconds,
    messages: (use * inputs.sessionsPerWallet * inputs.messagesPerSessionHour) / 3_600,
  }
}

/**
 * Returns the number of processes of which none exceeds the planned share of a limit.
 *
 * @param {Load & { engine: Engine, inputs: RelayInputs }} load
 */
function countProcesses({ engine, connections, connects, messages, inputs }) {
  const { connections: mostConnections, connects: mostConnects } = limitsOf(engine)
  const planned = (/** @type {number} */ limit) => limit * inputs.plannedShare
  let processes = Math.max(
    inputs.leastProcesses,
    Math.ceil(connections / planned(mostConnections)),
    Math.ceil(connects / planned(mostConnects)),
  )
  const cores = () => coresOf(engine, messages / processes) + (connects / processes) * coresPerConnect
  while (cores() > planned(1)) processes += Math.ceil(processes / 100)
  return processes
}

/** @param {{ engine: Engine, peak: number, storedMessages: number, inputs: RelayInputs }} options */
function planStore({ engine, peak, storedMessages, inputs }) {
  const perNode = Math.max(2, Math.ceil(storeCoresOf(engine, peak) / inputs.plannedShare))
  const gigabytes = (storedMessages * storedBytesOf(engine, inputs.messageBytes)) / 1e9
  // Redis wakes the processes if the messages are in PostgreSQL. With NATS, PostgreSQL has only keys and sums.
  const besides = 2
  return { nodes: inputs.replicas, perNode, cores: inputs.replicas * perNode + besides, gigabytes }
}

/**
 * Bytes between regions per second, on average.
 *
 * @param {{ engine: Engine, regions: readonly Region[], processes: number, mean: number, inputs: RelayInputs }} options
 */
function crossRegionBytes({ engine, regions, processes, mean: messages, inputs }) {
  const bytes = inputs.messageBytes + wireBytes.envelope
  const away = 1 - (regions[0]?.share ?? 1)
  // A message of another region is stored in the first one, and all copies of the database are there.
  if (engine === 'postgresql') return messages * bytes * (away + inputs.foreignShare)
  // Each message is copied to the other regions. Every process reads the headers of all messages, most from another region.
  const polled = messages * processes * wireBytes.polledHeaders * (1 - 1 / regions.length)
  return messages * bytes * (inputs.replicas - 1 + inputs.foreignShare) + polled
}

/**
 * With PostgreSQL, a publish waits for the first region. With NATS, it waits for the leader of its stream, which is in any
 * region, and the leader for the nearest other one, because two of three copies confirm a message.
 *
 * @param {Engine} engine
 * @param {Region} region
 * @param {readonly Region[]} regions
 */
function addedDelay(engine, region, regions) {
  const [home] = regions
  const between = (/** @type {Region} */ one, /** @type {Region} */ other) => one.roundTripMs[other.name] ?? 0
  if (regions.length === 1 || home === undefined) return 0
  if (engine === 'postgresql') return between(region, home)
  return mean(regions.map((leader) => between(region, leader) + Math.min(...Object.values(leader.roundTripMs))))
}

/**
 * Lists what the whole relay uses of limits that more processes don't raise.
 *
 * @param {{ engine: Engine, processes: number, peak: number, storedMessages: number, inputs: RelayInputs }} options
 * @returns {readonly Limit[]}
 */
function listLimits({ engine, processes, peak, storedMessages, inputs }) {
  const limits = limitsOf(engine)
  const gibibytes = (storedMessages * (inputs.messageBytes + limits.countedBytes)) / 2 ** 30
  const databaseConnections = processes * limits.connectionsPerProcess
  return [
    { name: 'messages/s at which everything arrived', used: peak, limit: limits.storeRate },
    { name: 'messages/s that a process can check for missed ones', used: peak, limit: limits.polledRate },
    { name: 'GiB of the default `storage` limit', used: gibibytes, limit: limits.storageGibibytes },
    { name: 'connections to PostgreSQL', used: databaseConnections, limit: inputs.databaseConnections },
  ]
}

const mostWallets = 1e12

/**
 * Finds the first limit that a growing number of wallets reaches, and that number.
 *
 * @param {Omit<Parameters<typeof planRelay>[0], 'wallets'>} options
 * @returns {Limit & { wallets: number }}
 */
export function findFirstLimit(options) {
  const reached = (/** @type {number} */ wallets) =>
    planRelay({ ...options, wallets }).limits.find(({ used, limit }) => used > limit)
  let [low, high] = [1, mostWallets]
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high)
    if (reached(middle) === undefined) low = middle
    else high = middle
  }
  const first = reached(high)
  if (first === undefined) throw new Error('No limit is reached.')
  return { ...first, wallets: high }
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, each) => total + each, 0)
}

/** @param {readonly number[]} values */
function mean(values) {
  return sum(values) / values.length
}
