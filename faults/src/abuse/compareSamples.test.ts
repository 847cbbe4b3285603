import { describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { compareSamples } from './compareSamples.ts'

const random = createRandom(1)
const createSample = (count: number, shift = 0): number[] =>
  Array.from({ length: count }, () => random.between(0, 1_000_000) / 1_000_000 + shift)

describe('the comparison of two samples', () => {
  test.each([
    [1.36, 0.05],
    [1.63, 0.01],
  ])('returns the tabulated probability for a distance of %s critical units', (units, probability) => {
    // Two samples of 1,000 values whose distribution functions differ by exactly the distance.
    const shift = Math.round(units * Math.sqrt(2 / 1_000) * 1_000)
    const one = Array.from({ length: 1_000 }, (_, index) => index)
    const found = compareSamples(
      one,
      one.map((value) => value + shift),
    )
    expect(found).toBeGreaterThan(probability * 0.8)
    expect(found).toBeLessThan(probability * 1.2)
  })

  test('is 1 for equal samples', () => {
    const one = createSample(100)
    expect(compareSamples(one, one)).toBe(1)
  })

  test('is 0 for separate samples', () => {
    expect(compareSamples(createSample(100), createSample(100, 2))).toBeLessThan(1e-9)
  })

  test('is rarely small for samples of one distribution', () => {
    const small = Array.from({ length: 200 }, () => compareSamples(createSample(200), createSample(200))).filter(
      (p) => p < 0.01,
    )
    expect(small.length).toBeLessThan(10)
  })
})
