import { expect, test, vi } from 'vitest'
import { createEmitter, type LatchkeyEvent } from './events.ts'

const event: LatchkeyEvent = { type: 'sign-in-cancel' }

test('emit calls every listener until it unsubscribes', () => {
  const { emit, subscribe } = createEmitter()
  const events: string[] = []
  const stop = subscribe(() => events.push('one'))
  subscribe(() => events.push('other'))
  emit(event)
  stop()
  stop()
  emit(event)
  expect(events).toEqual(['one', 'other', 'other'])
})

test('a listener that throws does not affect other listeners, and is logged', () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { emit, subscribe } = createEmitter()
  const events: string[] = []
  const mistake = new Error('the app made a mistake')
  subscribe(() => {
    throw mistake
  })
  subscribe(() => events.push('other'))
  emit(event)
  expect(events).toEqual(['other'])
  expect(report.mock.calls).toEqual([[mistake]])
  report.mockRestore()
})
