// Prints the plan of a relay for numbers of connected wallets, for both stores, and the error of its model for measured runs.
import { measuredCpu, measuredMemory } from './measuredRuns.mjs'
import { findFirstLimit, planRelay } from './planRelay.mjs'
import { bridgeRate, coresOf, connectionMegabytesOf, limitsOf } from './relayCosts.mjs'
import { listRegions, relayInputs } from './relayInputs.mjs'

/** @typedef {import('../../report/figures.mjs').Figure} Figure */
/** @typedef {import('./relayInputs.mjs').Engine} Engine */
/** @typedef {ReturnType<typeof planRelay>} Plan */

const engines = /** @type {const} */ (['postgresql', 'nats'])
const engineNames = { postgresql: 'PostgreSQL', nats: 'NATS' }
const maxErrorPercent = 35

/**
 * @param {{ wallets: readonly number[], options: Readonly<Record<string, string>> }} options `options` has other values of inputs by
 *   name
 * @returns {Figure[]}
 */
export function simulateRelay({ wallets, options }) {
  const inputs = readInputs(options)
  const plans = wallets.flatMap((count) =>
    engines.flatMap((engine) => {
      const options = { wallets: count, engine, regions: listRegions(count), inputs }
      return describePlan(options, planRelay(options), findFirstLimit(options))
    }),
  )
  return [...plans, ...validateCosts()]
}

/**
 * Replaces the inputs that the command line names.
 *
 * @param {Readonly<Record<string, string>>} options
 * @returns {typeof relayInputs}
 */
export function readInputs(options) {
  const inputs = { ...relayInputs }
  for (const name of /** @type {(keyof typeof relayInputs)[]} */ (Object.keys(inputs))) {
    const text = options[name]
    if (text === undefined) continue
    const value = Number(text)
    if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} must be a number above zero.`)
    inputs[name] = value
  }
  return inputs
}

/**
 * @param {{ wallets: number, engine: Engine }} options
 * @param {Plan} plan
 * @param {ReturnType<typeof findFirstLimit>} first
 * @returns {Figure[]}
 */
function describePlan({ wallets, engine }, plan, first) {
  const name = `${wallets.toLocaleString('en')} wallets, ${engineNames[engine]}`
  const { store } = plan
  return [
    ...plan.regions.flatMap((region) => describeRegion(name, region)),
    {
      name: `${name}: messages at the peak`,
      value: round(plan.peak),
      unit: '/s',
      note: `${round(plan.mean)}/s on average`,
    },
    {
      name: `${name}: stored messages`,
      value: Math.round(plan.storedMessages),
      unit: '',
      note: `${round(store.gigabytes)} GB on each of ${store.nodes} nodes with ${store.perNode} cores`,
      lines: plan.regions.length === 1 || engine === 'nats' ? [] : drawDay(wallets, plan),
    },
    { name: `${name}: traffic between regions`, value: round(plan.crossRegion / 1e6), unit: 'MB/s' },
    { name: `${name}: cost of a month`, value: Math.round(plan.cost), unit: '$' },
    {
      name: `${name}: times the stored messages that were tested`,
      value: round(plan.storedMessages / limitsOf(engine).storedMessages),
      unit: '',
    },
    {
      name: `${name}: the first limit is reached with`,
      value: Number(first.wallets.toPrecision(2)),
      unit: 'wallets',
      note: `${first.name}: ${first.limit.toLocaleString('en')}`,
    },
    ...describeLoss(name, engine, plan),
    ...(engine === 'nats' ? [] : describeBridges(wallets, plan)),
  ]
}

/** @param {string} plan @param {Plan['regions'][number]} region @returns {Figure[]} */
function describeRegion(plan, region) {
  const name = `${plan}, ${region.name}`
  const busy = `${Math.round(100 * region.utilization)} % of a core`
  const note = `each ${busy}, ${Math.round(region.megabytesPerProcess)} MB; ${round(region.connects)} connects/s`
  return [
    { name: `${name}: connections at the peak`, value: Math.round(region.connections), unit: '' },
    { name: `${name}: relay processes`, value: region.processes, unit: '', note },
    { name: `${name}: traffic to clients`, value: round(region.sent / 1e6), unit: 'MB/s' },
    { name: `${name}: time that distance adds to a publish`, value: Math.round(region.addedMs), unit: 'ms' },
  ]
}

/**
 * The clients of a lost region reconnect to the others, at the hour with the most clients.
 *
 * @param {string} name
 * @param {Engine} engine
 * @param {Plan} plan
 * @returns {Figure[]}
 */
function describeLoss(name, engine, { regions, processes }) {
  const [largest] = regions.toSorted((one, other) => other.connections - one.connections)
  if (largest === undefined || regions.length === 1) return []
  const limits = limitsOf(engine)
  const left = processes - largest.processes
  const most = Math.max(
    ...largest.loads.map((_, hour) => regions.reduce((sum, { loads }) => sum + (loads[hour]?.connections ?? 0), 0)),
  )
  return [
    {
      name: `${name}: connections per process without ${largest.name}`,
      value: Math.round(most / left),
      unit: '',
      budget: limits.connections,
      note: `its clients are back after ${Math.ceil(largest.connections / (left * limits.connects))} s at least`,
    },
  ]
}

/**
 * Relays of their own in each region, joined by bridges to the first one, forward every message over one bridge each.
 *
 * @param {number} wallets
 * @param {Plan} plan
 * @returns {Figure[]}
 */
function describeBridges(wallets, { regions }) {
  const [hub, ...others] = regions
  const places = listRegions(wallets)
  return others.map(({ name, messages }) => {
    const roundTripMs = places.find((place) => place.name === name)?.roundTripMs[hub?.name ?? ''] ?? 0
    return {
      name: `${wallets.toLocaleString('en')} wallets, own relay in ${name}: messages to the bridge`,
      value: round(messages),
      unit: '/s',
      note: `a bridge forwards ${Math.round(bridgeRate(roundTripMs))}/s over ${roundTripMs} ms`,
    }
  })
}

/** @param {number} wallets @param {Plan} plan @returns {import('../../report/figures.mjs').Line[]} */
function drawDay(wallets, { regions }) {
  return regions.map(({ name, loads }) => ({
    plot: `Connections of ${wallets.toLocaleString('en')} connected wallets`,
    name,
    x: { label: 'hour', unit: 'UTC' },
    y: { label: 'connections', unit: '' },
    points: loads.map(({ connections }, hour) => /** @type {const} */ ([hour, connections])),
  }))
}

/**
 * Compares the model with measured runs of one machine.
 *
 * @returns {Figure[]}
 */
export function validateCosts() {
  const cpu = measuredCpu.map(({ engine, processes, rate, cpuPerThousand, from }) => {
    const model = (1e6 * processes * coresOf(engine, rate / processes)) / rate
    const name = `${engineNames[engine]}, relay CPU, ${processes} × ${Math.round(rate / processes).toLocaleString('en')}/s (${from})`
    return compareCosts(name, { model, measured: cpuPerThousand, unit: 'ms per 1,000' })
  })
  const memory = measuredMemory.map(({ connections, megabytes, from }) => {
    const name = `memory of ${connections.toLocaleString('en')} connections (${from})`
    return compareCosts(name, { model: connectionMegabytesOf(connections), measured: megabytes, unit: 'MB' })
  })
  return [...cpu, ...memory]
}

/** @param {string} name @param {{ model: number, measured: number, unit: string }} values @returns {Figure} */
function compareCosts(name, { model, measured, unit }) {
  return {
    name: `${name}: error of the model`,
    value: Math.abs(100 * (model / measured - 1)),
    unit: '%',
    budget: maxErrorPercent,
    note: `model ${Math.round(model)}, measured ${measured} ${unit}`,
  }
}

/** Rounds to three significant digits below a thousand. @param {number} value */
function round(value) {
  return value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3))
}
