import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createCircuitBreaker, type CircuitBreaker } from './circuitBreaker.ts'

let now: number
let circuit: CircuitBreaker

beforeEach(() => {
  now = 1_000_000
  circuit = createCircuitBreaker({ now: () => now })
})

function record(ok: boolean, times: number): void {
  for (let time = 0; time < times; time += 1) circuit.record(ok)
}

describe('a closed circuit', () => {
  test('stays closed with fewer than 20 results, even if all failed', () => {
    record(false, 19)
    expect([circuit.state(), circuit.allowsRequests()]).toEqual(['closed', true])
  })

  test('opens when half of 20 results are failures', () => {
    record(true, 10)
    record(false, 9)
    expect(circuit.state()).toBe('closed')
    record(false, 1)
    expect([circuit.state(), circuit.allowsRequests()]).toEqual(['open', false])
  })

  test('stays closed while fewer than half of its results are failures', () => {
    record(true, 21)
    record(false, 20)
    expect(circuit.state()).toBe('closed')
    record(false, 1)
    expect(circuit.state()).toBe('open')
  })

  test('forgets results after ten seconds', () => {
    record(false, 10)
    now += 10_000
    record(false, 10)
    expect(circuit.state()).toBe('closed')
  })

  test('counts results of the last ten seconds', () => {
    record(false, 10)
    now += 9_999
    record(false, 10)
    expect(circuit.state()).toBe('open')
  })
})

test('a circuit opens exactly when half of at least 20 results of the last ten seconds failed', () => {
  const step = fc.record({ ok: fc.boolean(), wait: fc.constantFrom(0, 0, 1, 250, 3_000, 9_999, 10_000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      now = 1_000_000
      const tested = createCircuitBreaker({ now: () => now })
      const results: { ok: boolean; at: number }[] = []
      for (const { ok, wait } of steps) {
        now += wait
        tested.record(ok)
        results.push({ ok, at: now })
        const recent = results.filter(({ at }) => now - at < 10_000)
        const failures = recent.filter((result) => !result.ok).length
        const isOpen = recent.length >= 20 && failures >= recent.length / 2
        expect(tested.state()).toBe(isOpen ? 'open' : 'closed')
        if (isOpen) return
      }
    }),
  )
})

describe('an open circuit', () => {
  beforeEach(() => record(false, 20))

  test('is half-open after five seconds and then allows requests', () => {
    now += 4_999
    expect([circuit.state(), circuit.allowsRequests()]).toEqual(['open', false])
    now += 1
    expect([circuit.state(), circuit.allowsRequests()]).toEqual(['half-open', true])
  })

  test('closes with the first success, without the failures from before', () => {
    now += 5_000
    circuit.record(true)
    expect(circuit.state()).toBe('closed')
    record(false, 19)
    expect(circuit.state()).toBe('closed')
    record(false, 1)
    expect(circuit.state()).toBe('open')
  })

  test('stays open for five more seconds after another failure', () => {
    now += 5_000
    circuit.record(false)
    expect(circuit.state()).toBe('open')
    now += 4_999
    expect(circuit.state()).toBe('open')
    now += 1
    expect(circuit.state()).toBe('half-open')
  })
})
