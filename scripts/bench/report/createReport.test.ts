import { expect, test } from 'vitest'
import { createReport } from './createReport.mjs'
import { isMet } from './figures.mjs'
import { mergeResults, parseResults } from './mergeResults.mjs'

const machine = { cores: 2, model: 'Example CPU', node: 'v20.19.0' }
const run = { isPart: false, measuredAt: '2026-01-02T03:04:05.000Z', machine }
const rate = { label: 'rate', unit: 'messages/s' }
const time = { label: 'delivery p99', unit: 'ms', limit: 100 }

type Figure = import('./figures.mjs').Figure

function report(area: string, ...figures: readonly Figure[]): string {
  return createReport(mergeResults({ results: {} }, { ...run, area, figures }))
}

test('the report escapes the names, units and notes of figures', () => {
  const html = report('<area>', {
    name: '<img src=x onerror=alert(1)>',
    value: 1,
    unit: '"&',
    note: '</table><script>alert(1)</script>',
    lines: [{ plot: '<b>', name: '</svg>', x: rate, y: time, points: [[1, 2]] }],
    bar: { plot: '<i>', group: '<u>', name: '<s>' },
  })
  expect(html).not.toMatch(/<img|<script|<b>|<i>|<u>|<s>|<area>/)
  expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;')
  expect(html.match(/<\/svg>/g)?.length).toBe(html.match(/<svg/g)?.length)
})

test('the report loads nothing from elsewhere and has no script', () => {
  const html = report('relay', { name: 'rate', value: 1, unit: '/s' })
  expect(html).not.toMatch(/<script|<link|<img|src=|url\(|@import|https?:/)
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
})

test('the report marks missed limits in the table and lists them in the summary', () => {
  const html = report(
    'relay',
    { name: 'highest rate', value: 10_000, unit: '/s', atLeast: 20_000 },
    { name: 'delivery', value: 90, unit: 'ms', budget: 100 },
    { name: 'processor time', value: 3, unit: 'ms' },
  )
  expect(html).toContain('1 of 2 limits are missed.')
  expect(html).toContain('highest rate, 10,000 /s (limit ≥ 20,000 /s)')
  expect(html.match(/>MISSED</g)).toHaveLength(1)
  expect(html.match(/>met</g)).toHaveLength(1)
})

test('a limit whose figure could not be measured is missed, also after JSON', () => {
  const figure = { name: 'p99', value: Number.NaN, unit: 'ms', budget: 5 }
  const text = JSON.stringify(mergeResults({ results: {} }, { ...run, area: 'api', figures: [figure] }))
  expect(isMet(figure)).toBe(false)
  expect(createReport(parseResults(text))).toContain('p99, not measured (limit ≤ 5 ms)')
})

test('a plot has axes with units, the limit, a legend, and one line per series', () => {
  const lines = ['1 process', '2 processes'].map((name) => ({
    plot: 'Delivery against the rate',
    name,
    x: rate,
    y: time,
    points: [
      [1_000, 10],
      [20_000, 180],
    ] as const,
  }))
  const html = report('relay', { name: 'rate', value: 1, unit: '/s', lines })
  expect(html).toContain('>rate (messages/s)</text>')
  expect(html).toContain('>delivery p99 (ms)</text>')
  expect(html).toContain('>limit 100</text>')
  expect(html.match(/<figcaption>Delivery against the rate/g)).toHaveLength(1)
  expect(html.match(/<circle/g)).toHaveLength(4)
  expect(html).toContain('1 process: 1,000 messages/s, 10 ms')
})

test('a point that is not a number is left out of its line', () => {
  const points = [
    [1_000, 10],
    [2_000, Number.NaN],
  ] as const
  const lines = [{ plot: 'Delivery', name: 'relay', x: rate, y: time, points }]
  const html = report('relay', { name: 'rate', value: 1, unit: '/s', lines })
  expect(html.match(/<circle/g)).toHaveLength(1)
  expect(html).not.toContain('NaN')
})

test('a plot of bars has a bar per figure, with its value', () => {
  const draw = (name: string) => ({ bar: { plot: 'Ours and its peer', group: 'session settled', name } })
  const html = report(
    'walletconnect',
    { name: 'ours', value: 10, unit: 'ms', budget: 25, ...draw('ours') },
    { name: 'theirs', value: 20, unit: 'ms', ...draw('sign-client') },
  )
  expect(html.match(/<rect/g)).toHaveLength(2)
  expect(html).toContain('>sign-client · 20 ms</text>')
  const [ours = 0, theirs = 0] = [...html.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map((found) => Number(found[1]))
  expect(theirs / ours).toBeCloseTo(2, 1)
})

test('a run replaces the figures of its area and keeps those of other areas', () => {
  const figure = (name: string): Figure => ({ name, value: 1, unit: 'ms' })
  const first = mergeResults({ results: {} }, { ...run, area: 'relay', figures: [figure('a'), figure('b')] })
  const both = mergeResults(first, { ...run, area: 'api', figures: [figure('c')] })
  const later = { ...run, measuredAt: '2026-02-02T00:00:00.000Z', area: 'relay', figures: [figure('b')] }
  const whole = mergeResults(both, later).results
  const part = mergeResults(both, { ...later, isPart: true }).results
  expect(whole['relay']?.map(({ name }) => name)).toStrictEqual(['b'])
  expect(whole['api']?.map(({ name }) => name)).toStrictEqual(['c'])
  expect(part['relay']?.map(({ name, measuredAt }) => [name, measuredAt])).toStrictEqual([
    ['a', run.measuredAt],
    ['b', later.measuredAt],
  ])
})

test('a run without an option keeps the figures that need it', () => {
  const soak: Figure = { name: 'growth', value: 1, unit: 'MiB', isOptional: true }
  const first = mergeResults({ results: {} }, { ...run, area: 'relay', figures: [soak] })
  const both = mergeResults(first, { ...run, area: 'relay', figures: [{ name: 'rate', value: 1, unit: '/s' }] })
  expect(both.results['relay']?.map(({ name }) => name)).toStrictEqual(['growth', 'rate'])
})

test('a file of an earlier form counts as no results', () => {
  expect(parseResults('{"results":{"relay":[{"name":"a","value":1}]}}')).toStrictEqual({ results: {} })
  expect(parseResults('')).toStrictEqual({ results: {} })
})
