import { expect, test } from 'vitest'
import { armingTime, createArming, smallest } from './arming.ts'

/** A guard whose time is turned by hand. */
function guard() {
  let now = 0
  let due: Array<{ at: number; act: () => void }> = []
  const told: boolean[] = []
  const arming = createArming({
    told: (isArmed) => void told.push(isArmed),
    later(act, milliseconds) {
      const entry = { at: now + milliseconds, act }
      due.push(entry)
      return () => (due = due.filter((each) => each !== entry))
    },
  })
  const pass = (milliseconds: number): void => {
    now += milliseconds
    const ripe = due.filter(({ at }) => at <= now)
    due = due.filter(({ at }) => at > now)
    for (const { act } of ripe) act()
  }
  return { arming, told, pass }
}

/** One that counts already. */
function armed() {
  const { arming, ...rest } = guard()
  arming.sized(smallest)
  arming.seen(true)
  rest.pass(armingTime)
  expect(arming.isArmed).toBe(true)
  return { arming, ...rest }
}

test('counts after half a second in full view, and not a moment before [I-10]', () => {
  const { arming, pass } = guard()
  arming.sized(smallest)
  arming.seen(true)
  pass(armingTime - 1)
  expect(arming.isArmed).toBe(false)
  pass(1)
  expect(arming.isArmed).toBe(true)
})

test('never counts while nobody proves that it is seen [I-09]', () => {
  const { arming, pass } = guard()
  arming.sized({ width: 400, height: 700 })
  pass(60_000)
  expect(arming.isArmed).toBe(false)
})

test('stops counting at once when it is covered, and begins anew when it is not [I-09]', () => {
  const { arming, pass, told } = armed()
  arming.seen(false)
  expect(arming.isArmed).toBe(false)
  pass(60_000)
  arming.seen(true)
  pass(armingTime - 1)
  expect(arming.isArmed).toBe(false)
  pass(1)
  expect(told).toEqual([true, false, true])
})

test.each([
  ['width', { width: smallest.width - 1, height: 900 }],
  ['height', { width: 900, height: smallest.height - 1 }],
])('does not count below its smallest %s [I-09]', (_what, size) => {
  const { arming, pass } = armed()
  arming.sized(size)
  pass(60_000)
  expect(arming.isArmed).toBe(false)
  arming.sized(smallest)
  pass(armingTime)
  expect(arming.isArmed).toBe(true)
})

test.each(['changed', 'sized'] as const)('begins anew when it was %s [I-10]', (what) => {
  const { arming, pass } = armed()
  const act = () => (what === 'sized' ? arming.sized({ width: 500, height: 500 }) : arming.changed())
  act()
  expect(arming.isArmed).toBe(false)
  pass(armingTime - 1)
  act()
  pass(armingTime - 1)
  expect(arming.isArmed).toBe(false)
  pass(1)
  expect(arming.isArmed).toBe(true)
})

test('does not count while the visitor is elsewhere, and half a second after', () => {
  const { arming, pass } = armed()
  arming.left()
  pass(60_000)
  expect(arming.isArmed).toBe(false)
  arming.came()
  expect(arming.isArmed).toBe(false)
  pass(armingTime)
  expect(arming.isArmed).toBe(true)
  // Who is here already does not come a second time.
  arming.came()
  expect(arming.isArmed).toBe(true)
})

test('counts for nothing any more once it is over', () => {
  const { arming, pass } = armed()
  arming.end()
  expect(arming.isArmed).toBe(false)
  arming.changed()
  pass(60_000)
  expect(arming.isArmed).toBe(false)
})
