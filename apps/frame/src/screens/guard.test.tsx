import { afterEach, beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { guardScreen } from './guard.ts'

let root: HTMLElement
let button: HTMLButtonElement
let end: () => void
let due: (() => void) | undefined
let pressed = 0

beforeEach(() => {
  root = document.createElement('main')
  button = document.createElement('button')
  button.dataset['guarded'] = ''
  button.textContent = 'Approve'
  pressed = 0
  button.addEventListener('click', () => (pressed += 1))
  root.append(button)
  document.body.append(root)
  end = guardScreen({
    root,
    watch: (_, told) => (told(true), () => {}),
    later: (act) => {
      due = act
      return () => (due = undefined)
    },
  })
})
afterEach(() => {
  end()
  root.remove()
})

const isArmed = (): boolean => root.dataset['armed'] === 'true' && button.getAttribute('aria-disabled') === 'false'

/** Half a second in which nothing happens. */
function read(): void {
  due?.()
  expect(isArmed()).toBe(true)
}

type Place = { x: number; y: number; frame?: number }

/** A mouse, where the frame is so far from the left of the desk. */
function mouse(type: 'pointermove' | 'pointerdown' | 'pointerout', { x, y, frame = 100 }: Place): void {
  const places = { clientX: x, clientY: y, screenX: x + frame, screenY: y }
  button.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse', relatedTarget: null, ...places }))
}

test('a pointer that comes disarms; one that is there may move, press and rest [I-10]', () => {
  read()
  mouse('pointermove', { x: 20, y: 20 })
  expect(isArmed()).toBe(false)
  read()
  mouse('pointermove', { x: 60, y: 25 })
  mouse('pointermove', { x: 60, y: 25 })
  mouse('pointerdown', { x: 61, y: 25 })
  expect(isArmed()).toBe(true)
})

test('a pointer that was away comes anew [I-10]', () => {
  mouse('pointermove', { x: 20, y: 20 })
  read()
  mouse('pointerout', { x: 400, y: 20 })
  mouse('pointermove', { x: 20, y: 20 })
  expect(isArmed()).toBe(false)
})

test.each(['pointermove', 'pointerdown'] as const)(
  'a frame that is moved under a pointer that rests disarms, by its %s at the latest [I-10]',
  (type) => {
    mouse('pointermove', { x: 20, y: 20 })
    read()
    mouse(type, { x: 220, y: 20, frame: -100 })
    expect(isArmed()).toBe(false)
  },
)

test('what is shown, how large it is and whether its visitor is here disarm [I-09] [I-10]', async () => {
  read()
  button.textContent = 'Approve it'
  await expect.poll(isArmed).toBe(false)
  read()
  window.dispatchEvent(new Event('resize'))
  expect(isArmed()).toBe(false)
  read()
  window.dispatchEvent(new Event('blur'))
  expect(isArmed()).toBe(false)
  expect(due).toBeUndefined()
  window.dispatchEvent(new Event('focus'))
  read()
})

test('only a person presses: no script, no key that was held before, nobody while it does not count [I-10]', async () => {
  button.focus()
  await userEvent.keyboard('{Enter}')
  expect(pressed).toBe(0)
  read()
  button.click()
  button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  expect(pressed).toBe(0)
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true })
  button.dispatchEvent(held)
  expect(held.defaultPrevented).toBe(true)
  await userEvent.keyboard('{Enter}')
  expect(pressed).toBe(1)
})

test('once it is over nothing counts', () => {
  read()
  end()
  expect(isArmed()).toBe(false)
})
