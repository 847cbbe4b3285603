import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { acquireUntilClosed, createConcurrencyLimiter, createOwnCounts, runOnce } from './concurrencyLimiter.ts'

describe('acquireUntilClosed', () => {
  const key = 'client'

  test('counts a stream until it closes', async () => {
    const limiter = createConcurrencyLimiter()
    const [first, second] = [new PassThrough(), new PassThrough()]
    expect(await acquireUntilClosed(limiter, { stream: first, key, maximum: 1 })).toBe(true)
    expect(await acquireUntilClosed(limiter, { stream: second, key, maximum: 1 })).toBe(false)
    expect(await acquireUntilClosed(limiter, { stream: second, key: 'another', maximum: 1 })).toBe(true)
    const closed = new Promise((resolve) => first.once('close', resolve))
    first.destroy()
    await closed
    expect(await acquireUntilClosed(limiter, { stream: second, key, maximum: 1 })).toBe(true)
  })

  test('does not count a stream that closed meanwhile, whose close event is over', async () => {
    const limiter = createConcurrencyLimiter()
    const stream = new PassThrough()
    const closed = new Promise((resolve) => stream.once('close', resolve))
    stream.destroy()
    await closed
    expect(await acquireUntilClosed(limiter, { stream, key, maximum: 1 })).toBe(true)
    expect(await limiter.acquire(key, 1)).toBeDefined()
  })
})

describe('createOwnCounts', () => {
  test('counts each key separately', () => {
    const counts = createOwnCounts()
    expect([counts.add('a', 2), counts.add('a', 1), counts.add('b', 1)]).toEqual([2, 3, 1])
    expect([counts.get('a'), counts.get('b'), counts.get('c')]).toEqual([3, 1, 0])
  })

  test('keeps no key whose count is zero', () => {
    const counts = createOwnCounts()
    counts.add('a', 1)
    counts.add('b', 1)
    expect(counts.add('a', -1)).toBe(0)
    expect([...counts.entries()]).toEqual([['b', 1]])
  })
})

test('runOnce runs its function with the first call only', () => {
  let runs = 0
  const run = runOnce(() => void (runs += 1))
  expect(runs).toBe(0)
  run()
  run()
  expect(runs).toBe(1)
})
