import { expect, onTestFinished, test } from 'vitest'
import { afterPaint } from './afterPaint.ts'

test('afterPaint resolves after two frames', async () => {
  let frames = 0
  const count = (): void => {
    frames += 1
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  await afterPaint()
  expect(frames).toBeGreaterThanOrEqual(2)
})

test('afterPaint resolves at once in a hidden page, which has no frames', async () => {
  const { requestAnimationFrame: original } = globalThis
  onTestFinished(() => {
    globalThis.requestAnimationFrame = original
    Reflect.deleteProperty(document, 'visibilityState')
  })
  globalThis.requestAnimationFrame = () => 0
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  await afterPaint()
  expect(document.visibilityState).toBe('hidden')
})
