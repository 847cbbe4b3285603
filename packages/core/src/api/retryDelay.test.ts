import { expect, test } from 'vitest'
import { getRetryDelay } from './retryDelay.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0)

test.each([
  ['2', 2_000],
  [' 10 ', 10_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 12:00:04 GMT', 4_000],
  // The clock of the server is behind.
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
])('the wait for Retry-After %j is at least %i ms, and at most half a second and a half longer', (header, least) => {
  expect(getRetryDelay(header, { now, random: 0 })).toBe(least)
  expect(getRetryDelay(header, { now, random: 0.5 })).toBe(least * 1.25 + 250)
  expect(getRetryDelay(header, { now, random: 1 })).toBe(least * 1.5 + 500)
})

test.each([
  [null],
  [''],
  ['soon'],
  ['-1'],
  ['1.5'],
  ['1e1'],
  ['11'],
  ['3600'],
  ['9'.repeat(400)],
  ['Thu, 01 Jan 2026 12:01:00 GMT'],
])('there is no wait for Retry-After %j', (header) => {
  expect(getRetryDelay(header, { now, random: 0 })).toBeUndefined()
})
