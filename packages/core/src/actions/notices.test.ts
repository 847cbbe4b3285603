import { expect, test } from 'vitest'
import { fakeWorld } from '../testing/fakes.ts'
import { dismissAlert, hideToast, showAlert, showToast } from './notices.ts'

test('a toast goes by itself after four seconds [R3.15]', () => {
  const { latchkey, clock } = fakeWorld()
  showToast(latchkey, 'Address copied')
  expect(latchkey.toast.getState()).toEqual({
    open: true,
    message: 'Address copied',
    variant: 'success',
    autoClose: true,
  })
  clock.advance(3_999)
  expect(latchkey.toast.getState().open).toBe(true)
  clock.advance(1)
  expect(latchkey.toast.getState()).toEqual({ open: false })
})

test('a toast that waits for something stays until it is hidden [R3.15]', () => {
  const { latchkey, clock } = fakeWorld()
  showToast(latchkey, 'Sending', { variant: 'loading' })
  clock.advance(60_000)
  expect(latchkey.toast.getState()).toMatchObject({ open: true, autoClose: false })
  hideToast(latchkey)
  expect(latchkey.toast.getState()).toEqual({ open: false })
})

test('a toast that is open closes, and the new one appears 150 ms later [R4.4.5] [R9.1.7]', () => {
  const { latchkey, clock } = fakeWorld()
  showToast(latchkey, 'first')
  showToast(latchkey, 'second', { variant: 'error' })
  expect(latchkey.toast.getState()).toEqual({ open: false })
  clock.advance(149)
  expect(latchkey.toast.getState()).toEqual({ open: false })
  clock.advance(1)
  expect(latchkey.toast.getState()).toMatchObject({ open: true, message: 'second', variant: 'error' })
  clock.advance(3_999)
  expect(latchkey.toast.getState().open).toBe(true)
  clock.advance(1)
  expect(latchkey.toast.getState().open).toBe(false)
})

test('a toast that was due does not come back over a newer one [R4.4.5]', () => {
  const { latchkey, clock } = fakeWorld()
  showToast(latchkey, 'first')
  showToast(latchkey, 'second')
  showToast(latchkey, 'third', { variant: 'loading' })
  clock.advance(60_000)
  expect(latchkey.toast.getState()).toMatchObject({ message: 'third' })
})

test('a hidden toast brings nothing back', () => {
  const { latchkey, clock } = fakeWorld()
  showToast(latchkey, 'first')
  showToast(latchkey, 'second')
  hideToast(latchkey)
  clock.advance(60_000)
  expect(latchkey.toast.getState()).toEqual({ open: false })
  expect(clock.waiting()).toBe(0)
})

test.each(['invalid-app-configuration', 'session-expired', 'network-not-found', 'project-id-not-configured'] as const)(
  'the alert %s is shown once, also after it was dismissed [R8.1.1] [R8.1.2] [R8.1.3] [R8.1.4]',
  (code) => {
    const { latchkey } = fakeWorld()
    showAlert(latchkey, code)
    showAlert(latchkey, code)
    expect(latchkey.alerts.getState()).toEqual([{ code, dismissed: false }])
    dismissAlert(latchkey, code)
    showAlert(latchkey, code)
    expect(latchkey.alerts.getState()).toEqual([{ code, dismissed: true }])
  },
)

test('dismissing one alert leaves the others', () => {
  const { latchkey } = fakeWorld()
  showAlert(latchkey, 'session-expired')
  showAlert(latchkey, 'network-not-found')
  dismissAlert(latchkey, 'session-expired')
  expect(latchkey.alerts.getState()).toEqual([
    { code: 'session-expired', dismissed: true },
    { code: 'network-not-found', dismissed: false },
  ])
})
