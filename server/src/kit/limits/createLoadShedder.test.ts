import { afterEach, expect, test } from 'vitest'
import { createLoadShedder, type LoadShedder } from './createLoadShedder.ts'

let now = 0
let waiting = 0
let shedder: LoadShedder | undefined

function open(): LoadShedder {
  shedder = createLoadShedder({ clock: { now: () => now }, getWaiting: () => waiting, maxWaiting: 20 })
  return shedder
}

afterEach(() => {
  shedder?.stop()
  now = 0
  waiting = 0
})

/** Observes a queue for a time, as the timer does. */
function passTime(each: LoadShedder, milliseconds: number): void {
  const end = now + milliseconds
  for (; now < end; now += 100) isRefused(each)
}

function isRefused(each: LoadShedder): boolean {
  try {
    each.assertNotOverloaded()
    return false
  } catch (error) {
    expect(error).toMatchObject({ status: 503, retryAfter: 2 })
    return true
  }
}

test('a long queue that a single request causes refuses no other request', () => {
  const each = open()
  waiting = 500
  passTime(each, 400)
  expect(isRefused(each)).toBe(false)
})

test('a queue that stays long for half a second refuses requests until it is short', () => {
  const each = open()
  waiting = 21
  passTime(each, 600)
  expect(isRefused(each)).toBe(true)
  waiting = 20
  expect(isRefused(each)).toBe(false)
})

test('a queue that gets long soon after an overload refuses requests at once', () => {
  const each = open()
  waiting = 21
  passTime(each, 600)
  waiting = 0
  passTime(each, 4_000)
  waiting = 21
  expect(isRefused(each)).toBe(true)
})

test('an overload is forgotten after five seconds with a short queue', () => {
  const each = open()
  waiting = 21
  passTime(each, 600)
  waiting = 0
  passTime(each, 5_100)
  waiting = 21
  expect(isRefused(each)).toBe(false)
})

test('a queue that was short in between has not been long since', () => {
  const each = open()
  waiting = 21
  passTime(each, 400)
  waiting = 0
  passTime(each, 100)
  waiting = 21
  passTime(each, 400)
  expect(isRefused(each)).toBe(false)
})
