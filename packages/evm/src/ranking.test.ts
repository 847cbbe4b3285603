import { describe, expect, test } from 'vitest'
import { rank, withSample, type Sample } from './ranking.ts'

const answered = (milliseconds: number): Sample => ({ answered: true, milliseconds })
const failed = (milliseconds: number): Sample => ({ answered: false, milliseconds })
const times = (count: number, sample: Sample): Sample[] => Array.from({ length: count }, () => sample)

function order(endpoints: Readonly<Record<string, readonly Sample[]>>): string[] {
  return rank(Object.entries(endpoints).map(([name, samples]) => ({ name, samples }))).map(({ name }) => name)
}

describe('the order of endpoints', () => {
  test('is the given one when nothing is known, and among equals', () => {
    expect(order({ a: [], b: [], c: [] })).toEqual(['a', 'b', 'c'])
    expect(order({ a: [answered(5)], b: [answered(5)] })).toEqual(['a', 'b'])
  })

  test('prefers the faster of two that never failed [R9.5.6]', () => {
    expect(order({ slow: [answered(300)], fast: [answered(30)] })).toEqual(['fast', 'slow'])
  })

  test('weighs stability with 0.7 and latency with 0.3 [R9.5.6]', () => {
    // One failure in ten costs 0.07, a tenth of the slowest time saves 0.03.
    const shaky = [...times(9, answered(50)), failed(50)]
    expect(order({ shaky, steady: times(10, answered(61)) })).toEqual(['steady', 'shaky'])
    expect(order({ shaky, steady: times(10, answered(66)) })).toEqual(['shaky', 'steady'])
  })

  test('puts one that fails at once behind a slow one that answers', () => {
    expect(order({ dead: [failed(1)], slow: [answered(5_000)] })).toEqual(['slow', 'dead'])
  })

  test('puts one that never answered before those that fail and behind those that are well', () => {
    expect(order({ failing: [failed(1)], silent: [], well: [answered(900)], quick: [answered(5)] })).toEqual([
      'quick',
      'well',
      'silent',
      'failing',
    ])
  })

  test('counts the last ten samples only [R9.5.6]', () => {
    let samples: readonly Sample[] = [failed(1)]
    for (let count = 1; count <= 10; count += 1) samples = withSample(samples, answered(1))
    expect(samples).toEqual(times(10, answered(1)))
  })
})
