import { expect, test } from 'vitest'
import { getSlope, sampleMemory } from './memory.mjs'

test('the slope of samples on a line is that of the line, whatever its level', () => {
  const samples = [0, 1, 2, 5].map((minutes) => [minutes, 300 + 0.25 * minutes] as const)
  expect(getSlope(samples)).toBeCloseTo(0.25, 9)
})

test('samples at one moment have no slope', () => {
  expect(getSlope([[1, 300]])).toBeNaN()
})

test('a process is sampled at once', () => {
  const { samples, stop } = sampleMemory(process.pid)
  stop()
  expect(samples).toHaveLength(1)
  expect(samples[0]?.[1]).toBeGreaterThan(1)
})
