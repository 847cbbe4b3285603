import { expect, test } from 'vitest'
import { createOverloadDetector } from './eventLoopMonitor.ts'

test('the monitor reports overload after five late checks in a row, until a check is on time', () => {
  const judge = createOverloadDetector()
  for (const late of [500, 500, 500, 500]) judge.record(late)
  expect(judge.isOverloaded()).toBe(false)
  judge.record(201)
  expect(judge.isOverloaded()).toBe(true)
  judge.record(200)
  expect(judge.isOverloaded()).toBe(false)
  for (const late of [500, 500, 100, 500, 500, 500]) judge.record(late)
  expect(judge.isOverloaded()).toBe(false)
})
