import { expect, test } from 'vitest'
import { armingTime, createArming, minimumSize } from './arming.ts'

/** An arming with a manual clock. */
function guard() {
  let now = 0
  let due: Array<{ at: number; act: () => void }> = []
  const states: boolean[] = []
  const arming = createArming({
    notify: (isArmed) => void states.push(isArmed),
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
  return { arming, states, pass }
}

/** An armed one. */
function createArmedGuard() {
  const { arming, ...rest } = guard()
  arming.sized(minimumSize)
  arming.seen(true)
  rest.pass(armingTime)
  expect(arming.isArmed).toBe(true)
  return { arming, ...rest }
}

test('the screen arms after half a second of full visibility, and not before [I-10]', () => {
  const { arming, pass } = guard()
  arming.sized(minimumSize)
  arming.seen(true)
  pass(armingTime - 1)
  expect(arming.isArmed).toBe(false)
  pass(1)
  expect(arming.isArmed).toBe(true)
})

test('the screen never arms without a proof of visibility [I-09]', () => {
  const { arming, pass } = guard()
  arming.sized({ width: 400, height: 700 })
  pass(60_000)
  expect(arming.isArmed).toBe(false)
})

test('the screen disarms when covered and starts again when visible [I-09]', () => {
  const { arming, pass, states } = createArmedGuard()
  arming.seen(false)
  expect(arming.isArmed).toBe(false)
  pass(60_000)
  arming.seen(true)
  pass(armingTime - 1)
  expect(arming.isArmed).toBe(false)
  pass(1)
  expect(states).toEqual([true, false, true])
})

test.each([
  ['width', { width: minimumSize.width - 1, height: 900 }],
  ['height', { width: 900, height: minimumSize.height - 1 }],
])('the screen does not arm below its minimum %s [I-09]', (_what, size) => {
  const { arming, pass } = createArmedGuard()
  arming.sized(size)
  pass(60_000)
  expect(arming.isArmed).toBe(false)
  arming.sized(minimumSize)
  pass(armingTime)
  expect(arming.isArmed).toBe(true)
})

test.each(['changed', 'sized'] as const)('the time restarts when the screen is %s [I-10]', (what) => {
  const { arming, pass } = createArmedGuard()
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

test('the screen is disarmed while the user is away and for half a second afterwards', () => {
  const { arming, pass } = createArmedGuard()
  arming.left()
  pass(60_000)
  expect(arming.isArmed).toBe(false)
  arming.came()
  expect(arming.isArmed).toBe(false)
  pass(armingTime)
  expect(arming.isArmed).toBe(true)
  // A present user does not arrive again.
  arming.came()
  expect(arming.isArmed).toBe(true)
})

test('the screen never arms after its end', () => {
  const { arming, pass } = createArmedGuard()
  arming.end()
  expect(arming.isArmed).toBe(false)
  arming.changed()
  pass(60_000)
  expect(arming.isArmed).toBe(false)
})
