import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { getMedian } from '../site.mjs'
import { describeRun } from './views.mjs'

const report = (stats: object): string => JSON.stringify({ stats })

test('describeRun counts the checked views and those with a violation', () => {
  const figures = describeRun(report({ expected: 7, unexpected: 2, flaky: 1 }))
  expect(figures.map(({ value }) => value)).toEqual([3, 10])
})

test.each([
  ['no check ran', report({ expected: 0, unexpected: 0, flaky: 0 })],
  ['there is no report', ''],
])('describeRun fails if %s', (_, text) => {
  expect(() => describeRun(text)).toThrow(/No test has a title|no report/)
})

test('the checks of the browser tests have the title that the bench looks for', () => {
  const source = readFileSync(new URL('../../../apps/web/e2e/modal.spec.ts', import.meta.url), 'utf8')
  expect(source).toContain('has no accessibility violations')
})

test('the median of no values is not a number', () => {
  expect(getMedian([])).toBeNaN()
  expect(getMedian([3, 1, 2])).toBe(2)
  expect(getMedian([4, 1])).toBe(2.5)
})
