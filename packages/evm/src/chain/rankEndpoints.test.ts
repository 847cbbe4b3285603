import { describe, expect, test } from 'vitest'
import { rankEndpoints, addSample, type Sample } from './rankEndpoints.ts'

const hasResponse = (milliseconds: number): Sample => ({ hasResponse: true, milliseconds })
const createFailedSample = (milliseconds: number): Sample => ({ hasResponse: false, milliseconds })
const repeatSample = (count: number, sample: Sample): Sample[] => Array.from({ length: count }, () => sample)

function listRanking(endpoints: Readonly<Record<string, readonly Sample[]>>): string[] {
  return rankEndpoints(Object.entries(endpoints).map(([name, samples]) => ({ name, samples }))).map(({ name }) => name)
}

describe('the order of endpoints', () => {
  test('is the given order without samples and between equals', () => {
    expect(listRanking({ a: [], b: [], c: [] })).toEqual(['a', 'b', 'c'])
    expect(listRanking({ a: [hasResponse(5)], b: [hasResponse(5)] })).toEqual(['a', 'b'])
  })

  test('prefers the faster of two stable endpoints [R9.5.6]', () => {
    expect(listRanking({ slow: [hasResponse(300)], fast: [hasResponse(30)] })).toEqual(['fast', 'slow'])
  })

  test('weighs stability with 0.7 and latency with 0.3 [R9.5.6]', () => {
    // One failure in ten costs 0.07, a tenth of the slowest time saves 0.03.
    const shaky = [...repeatSample(9, hasResponse(50)), createFailedSample(50)]
    expect(listRanking({ shaky, steady: repeatSample(10, hasResponse(61)) })).toEqual(['steady', 'shaky'])
    expect(listRanking({ shaky, steady: repeatSample(10, hasResponse(66)) })).toEqual(['shaky', 'steady'])
  })

  test('ranks a fast failing endpoint below a slow working one', () => {
    expect(listRanking({ dead: [createFailedSample(1)], slow: [hasResponse(5_000)] })).toEqual(['slow', 'dead'])
  })

  test('ranks an unknown endpoint above failing and below working ones', () => {
    expect(
      listRanking({ failing: [createFailedSample(1)], silent: [], well: [hasResponse(900)], quick: [hasResponse(5)] }),
    ).toEqual(['quick', 'well', 'silent', 'failing'])
  })

  test('counts the last ten samples only [R9.5.6]', () => {
    let samples: readonly Sample[] = [createFailedSample(1)]
    for (let count = 1; count <= 10; count += 1) samples = addSample(samples, hasResponse(1))
    expect(samples).toEqual(repeatSample(10, hasResponse(1)))
  })
})
