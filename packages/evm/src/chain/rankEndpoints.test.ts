import { describe, expect, test } from 'vitest'
import { rankEndpoints, addSample, type Sample } from './rankEndpoints.ts'

const hasResponse = (milliseconds: number): Sample => ({ hasResponse: true, milliseconds })
const failed = (milliseconds: number): Sample => ({ hasResponse: false, milliseconds })
const times = (count: number, sample: Sample): Sample[] => Array.from({ length: count }, () => sample)

function order(endpoints: Readonly<Record<string, readonly Sample[]>>): string[] {
  return rankEndpoints(Object.entries(endpoints).map(([name, samples]) => ({ name, samples }))).map(({ name }) => name)
}

describe('the order of endpoints', () => {
  test('is the given order without samples and between equals', () => {
    expect(order({ a: [], b: [], c: [] })).toEqual(['a', 'b', 'c'])
    expect(order({ a: [hasResponse(5)], b: [hasResponse(5)] })).toEqual(['a', 'b'])
  })

  test('prefers the faster of two stable endpoints [R9.5.6]', () => {
    expect(order({ slow: [hasResponse(300)], fast: [hasResponse(30)] })).toEqual(['fast', 'slow'])
  })

  test('weighs stability with 0.7 and latency with 0.3 [R9.5.6]', () => {
    // One failure in ten costs 0.07, a tenth of the slowest time saves 0.03.
    const shaky = [...times(9, hasResponse(50)), failed(50)]
    expect(order({ shaky, steady: times(10, hasResponse(61)) })).toEqual(['steady', 'shaky'])
    expect(order({ shaky, steady: times(10, hasResponse(66)) })).toEqual(['shaky', 'steady'])
  })

  test('ranks a fast failing endpoint below a slow working one', () => {
    expect(order({ dead: [failed(1)], slow: [hasResponse(5_000)] })).toEqual(['slow', 'dead'])
  })

  test('ranks an unknown endpoint above failing and below working ones', () => {
    expect(order({ failing: [failed(1)], silent: [], well: [hasResponse(900)], quick: [hasResponse(5)] })).toEqual([
      'quick',
      'well',
      'silent',
      'failing',
    ])
  })

  test('counts the last ten samples only [R9.5.6]', () => {
    let samples: readonly Sample[] = [failed(1)]
    for (let count = 1; count <= 10; count += 1) samples = addSample(samples, hasResponse(1))
    expect(samples).toEqual(times(10, hasResponse(1)))
  })
})
