import { expect, test } from 'vitest'
import { measuredCpu, measuredMemory } from './measuredRuns.mjs'
import { findFirstLimit, planRelay } from './planRelay.mjs'
import { bridgeRate, coresOf, fitCores, limitsOf, megabytesOf } from './relayCosts.mjs'
import { listRegions, relayInputs } from './relayInputs.mjs'
import { readInputs, simulateRelay, validateCosts } from './simulateRelay.mjs'

const plan = (wallets: number, engine: 'postgresql' | 'nats' = 'postgresql', inputs = relayInputs) =>
  planRelay({ wallets, engine, regions: listRegions(wallets), inputs })

test('the model reproduces each measured processor time and memory within 35 %', () => {
  const errors = validateCosts()
  expect(errors.length).toBe(measuredCpu.length + measuredMemory.length)
  expect(errors.filter(({ value }) => value > 35)).toStrictEqual([])
})

test('the model predicts the runs of each series from those of the others within 40 %', () => {
  const runs = measuredCpu.filter(({ engine }) => engine === 'postgresql')
  for (const series of new Set(runs.map(({ from }) => from))) {
    const { cores, perMessage } = fitCores(runs.filter(({ from }) => from !== series))
    for (const { processes, rate, cpuPerThousand } of runs.filter(({ from }) => from === series)) {
      const predicted = (1e6 * processes * (cores + (perMessage * rate) / processes)) / rate
      expect(Math.abs(predicted / cpuPerThousand - 1)).toBeLessThan(0.4)
    }
  }
})

test('no process exceeds the planned share of a measured limit', () => {
  for (const engine of ['postgresql', 'nats'] as const) {
    const limits = limitsOf(engine)
    for (const wallets of [10_000, 1_000_000, 10_000_000]) {
      for (const region of plan(wallets, engine).regions) {
        const share = relayInputs.plannedShare
        expect(region.connections / region.processes).toBeLessThanOrEqual(share * limits.connections)
        expect(region.connects / region.processes).toBeLessThanOrEqual(share * limits.connects)
        expect(region.utilization).toBeLessThanOrEqual(share)
      }
    }
  }
})

test('a busy relay gets as many processes as its messages need', () => {
  const busy = plan(1_000_000, 'nats', { ...relayInputs, messagesPerSessionHour: 30 })
  const perProcess = busy.regions.map(({ messages, processes }) => coresOf('nats', messages / processes))
  expect(busy.processes).toBeGreaterThan(plan(1_000_000, 'nats').processes)
  expect(Math.max(...perProcess)).toBeLessThanOrEqual(relayInputs.plannedShare)
})

test('the regions together have the messages of all wallets, and peak less than the sum of their peaks', () => {
  const { mean, peak, regions } = plan(10_000_000)
  expect(mean).toBeCloseTo((10_000_000 * 2 * 0.25) / 3_600, 6)
  expect(peak).toBeLessThan(regions.reduce((sum, { messages }) => sum + messages, 0))
  expect(peak).toBeGreaterThan(mean)
})

test('a small relay is in one region, without traffic between regions or delays by distance', () => {
  const { regions, crossRegion } = plan(10_000)
  expect(regions.map(({ processes, addedMs }) => ({ processes, addedMs }))).toStrictEqual([
    { processes: 2, addedMs: 0 },
  ])
  expect(crossRegion).toBe(0)
})

test('the traffic between regions grows faster with NATS than the number of wallets, because each process reads all headers', () => {
  const growth = (engine: 'postgresql' | 'nats') =>
    plan(10_000_000, engine).crossRegion / plan(1_000_000, engine).crossRegion
  expect(growth('postgresql')).toBeCloseTo(10, 6)
  expect(growth('nats')).toBeGreaterThan(50)
})

test('the first limit is not exceeded below its number of wallets, and is exceeded above it', () => {
  for (const engine of ['postgresql', 'nats'] as const) {
    const options = { engine, regions: listRegions(1_000_000), inputs: relayInputs }
    const { wallets, name } = findFirstLimit(options)
    const exceeded = (share: number) =>
      planRelay({ ...options, wallets: wallets * share })
        .limits.filter(({ used, limit }) => used > limit)
        .map((limit) => limit.name)
    expect(exceeded(0.98)).toStrictEqual([])
    expect(exceeded(1)).toStrictEqual([name])
  }
})

test('with PostgreSQL, relay processes first exhaust the connections of the database', () => {
  const options = { engine: 'postgresql', regions: listRegions(1_000_000), inputs: relayInputs } as const
  expect(findFirstLimit(options).name).toBe('connections to PostgreSQL')
  const pooled = { ...options, inputs: { ...relayInputs, databaseConnections: 100_000 } }
  expect(findFirstLimit(pooled).name).toBe('GiB of the default `storage` limit')
})

test('distance slows a bridge, because eight topics wait for responses at a time', () => {
  expect(bridgeRate(0)).toBeCloseTo(2_000 / 3.5, 6)
  expect(bridgeRate(160)).toBeLessThan(8 / 0.16)
})

test('the memory of a process grows with its connections', () => {
  expect(megabytesOf(10_000) - megabytesOf(0)).toBeCloseTo(159, 6)
})

test('inputs of the command line replace the defaults, and anything but a number above zero is refused', () => {
  expect(readInputs({ messageBytes: '512', other: 'x' })).toStrictEqual({ ...relayInputs, messageBytes: 512 })
  expect(() => readInputs({ onlineWallets: 'many' })).toThrow('--onlineWallets')
  expect(() => readInputs({ replicas: '-1' })).toThrow('--replicas')
})

test('the figures of a plan name their wallets, store and region, once each', () => {
  const names = simulateRelay({ wallets: [10_000, 1_000_000], options: {} }).map(({ name }) => name)
  const plans = names.filter((name) => name.includes('wallets'))
  expect(new Set(plans).size).toBe(plans.length)
  expect(plans).toContain('1,000,000 wallets, NATS, Asia: relay processes')
  expect(plans).toContain('10,000 wallets, PostgreSQL: cost of a month')
})
