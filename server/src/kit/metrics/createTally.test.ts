import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createDistribution } from './createDistribution.ts'
import { createPairTally, createTally } from './createTally.ts'

test('a tally counts known keys by name and all others together', async () => {
  const registry = new Registry()
  const tally = createTally(registry, { name: 'refused_total', help: 'Refused.', label: 'reason', keys: ['rate'] })
  tally.add('rate')
  tally.add('rate')
  for (let index = 0; index < 1_000; index += 1) tally.add(`"}\n${index}`)
  tally.add('__proto__')
  expect((await registry.metrics()).trim().split('\n').slice(2)).toEqual([
    'refused_total{reason="rate"} 2',
    'refused_total{reason="other"} 1001',
  ])
  // A second scrape counts nothing again.
  expect(await registry.metrics()).toContain('refused_total{reason="rate"} 2')
})

test('a tally of pairs has no more series than pairs of known keys, whatever a client sends', async () => {
  const registry = new Registry()
  const tally = createPairTally(registry, {
    name: 'requests_total',
    help: 'Requests.',
    labels: ['method', 'outcome'],
    keys: [['publish'], ['ok']],
  })
  tally.add('publish', 'ok')
  for (let index = 0; index < 1_000; index += 1) tally.add(`constructor${index}`, `outcome ${index}`)
  tally.add('publish', 'toString')
  expect((await registry.metrics()).trim().split('\n').slice(2)).toEqual([
    'requests_total{method="publish",outcome="ok"} 1',
    'requests_total{method="publish",outcome="other"} 1',
    'requests_total{method="other",outcome="other"} 1000',
  ])
})

test('a distribution reports cumulative buckets, their sum and their count', async () => {
  const registry = new Registry()
  const seconds = createDistribution(registry, { name: 'store_seconds', help: 'Seconds.', buckets: [0.1, 1] })
  for (const value of [0.1, 0.5, 3]) seconds.observe(value)
  expect(await registry.metrics()).toBe(`# HELP store_seconds Seconds.
# TYPE store_seconds histogram
store_seconds_bucket{le="0.1"} 1
store_seconds_bucket{le="1"} 2
store_seconds_bucket{le="+Inf"} 3
store_seconds_sum 3.6
store_seconds_count 3
`)
  const [reported] = await registry.getMetricsAsJSON()
  expect(reported?.values[1]).toEqual({ metricName: 'store_seconds_bucket', labels: { le: 1 }, value: 2 })
})
