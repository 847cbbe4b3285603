import { afterEach, beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { guardScreen } from './guardScreen.ts'

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
    watch: (_, notify) => (notify(true), () => {}),
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

/** Waits half a second without events. */
function read(): void {
  due?.()
  expect(isArmed()).toBe(true)
}

type Place = { x: number; y: number; frame?: number }

/** A mouse event, with the frame at this distance from the left edge of the desktop. */
function dispatchMouseEvent(type: 'pointermove' | 'pointerdown' | 'pointerout', { x, y, frame = 100 }: Place): void {
  const places = { clientX: x, clientY: y, screenX: x + frame, screenY: y }
  button.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse', relatedTarget: null, ...places }))
}

test('an entering pointer disarms, and a present one may move, press and rest [I-10]', () => {
  read()
  dispatchMouseEvent('pointermove', { x: 20, y: 20 })
  expect(isArmed()).toBe(false)
  read()
  dispatchMouseEvent('pointermove', { x: 60, y: 25 })
  dispatchMouseEvent('pointermove', { x: 60, y: 25 })
  dispatchMouseEvent('pointerdown', { x: 61, y: 25 })
  expect(isArmed()).toBe(true)
})

test('a returning pointer disarms again [I-10]', () => {
  dispatchMouseEvent('pointermove', { x: 20, y: 20 })
  read()
  dispatchMouseEvent('pointerout', { x: 400, y: 20 })
  dispatchMouseEvent('pointermove', { x: 20, y: 20 })
  expect(isArmed()).toBe(false)
})

test.each(['pointermove', 'pointerdown'] as const)(
  'a frame moved under a resting pointer disarms by the next %s [I-10]',
  (type) => {
    dispatchMouseEvent('pointermove', { x: 20, y: 20 })
    read()
    dispatchMouseEvent(type, { x: 220, y: 20, frame: -100 })
    expect(isArmed()).toBe(false)
  },
)

test('changes of content, size and presence disarm [I-09] [I-10]', async () => {
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

test('scripted clicks, held keys and clicks while disarmed are ignored [I-10]', async () => {
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

test('requests are rejected after the end', () => {
  read()
  end()
  expect(isArmed()).toBe(false)
})
