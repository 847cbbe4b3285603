import { expect, test, vi } from 'vitest'
import { createEmitter, type LatchkeyEvent } from './events.ts'

const event: LatchkeyEvent = { type: 'sign-in-cancel' }

test('emit calls every listener until it unsubscribes', () => {
  const { emit, subscribe } = createEmitter()
  const heard: string[] = []
  const stop = subscribe(() => heard.push('one'))
  subscribe(() => heard.push('other'))
  emit(event)
  stop()
  stop()
  emit(event)
  expect(heard).toEqual(['one', 'other', 'other'])
})

test('a listener that throws does not affect other listeners, and is logged', () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { emit, subscribe } = createEmitter()
  const heard: string[] = []
  const mistake = new Error('the app made a mistake')
  subscribe(() => {
    throw mistake
  })
  subscribe(() => heard.push('other'))
  emit(event)
  expect(heard).toEqual(['other'])
  expect(report.mock.calls).toEqual([[mistake]])
  report.mockRestore()
})
