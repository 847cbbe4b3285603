import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { modalOf } from '../modal.ts'
import { expect, test } from 'vitest'
import { dismissAlert, showAlert } from './alerts.ts'
import { hideToast, showToast } from './showToast.ts'

test('a toast closes by itself after four seconds [R3.15]', () => {
  const { latchkey, clock } = fakeModalWorld()
  showToast(latchkey, 'Address copied')
  expect(modalOf(latchkey).toast.getState()).toEqual({
    open: true,
    message: 'Address copied',
    variant: 'success',
    autoClose: true,
  })
  clock.advance(3_999)
  expect(modalOf(latchkey).toast.getState().open).toBe(true)
  clock.advance(1)
  expect(modalOf(latchkey).toast.getState()).toEqual({ open: false })
})

test('a loading toast stays until it is hidden [R3.15]', () => {
  const { latchkey, clock } = fakeModalWorld()
  showToast(latchkey, 'Sending', { variant: 'loading' })
  clock.advance(60_000)
  expect(modalOf(latchkey).toast.getState()).toMatchObject({ open: true, autoClose: false })
  hideToast(latchkey)
  expect(modalOf(latchkey).toast.getState()).toEqual({ open: false })
})

test('a toast that is open closes, and the new one appears 150 ms later [R4.4.5] [R9.1.7]', () => {
  const { latchkey, clock } = fakeModalWorld()
  showToast(latchkey, 'first')
  showToast(latchkey, 'second', { variant: 'error' })
  expect(modalOf(latchkey).toast.getState()).toEqual({ open: false })
  clock.advance(149)
  expect(modalOf(latchkey).toast.getState()).toEqual({ open: false })
  clock.advance(1)
  expect(modalOf(latchkey).toast.getState()).toMatchObject({ open: true, message: 'second', variant: 'error' })
  clock.advance(3_999)
  expect(modalOf(latchkey).toast.getState().open).toBe(true)
  clock.advance(1)
  expect(modalOf(latchkey).toast.getState().open).toBe(false)
})

test('a scheduled toast does not replace a newer one [R4.4.5]', () => {
  const { latchkey, clock } = fakeModalWorld()
  showToast(latchkey, 'first')
  showToast(latchkey, 'second')
  showToast(latchkey, 'third', { variant: 'loading' })
  clock.advance(60_000)
  expect(modalOf(latchkey).toast.getState()).toMatchObject({ message: 'third' })
})

test('hiding a toast cancels the next one', () => {
  const { latchkey, clock } = fakeModalWorld()
  showToast(latchkey, 'first')
  showToast(latchkey, 'second')
  hideToast(latchkey)
  clock.advance(60_000)
  expect(modalOf(latchkey).toast.getState()).toEqual({ open: false })
  expect(clock.waiting()).toBe(0)
})

test.each([
  'invalid-app-configuration',
  'embedded-wallet-blocked',
  'session-expired',
  'network-not-found',
  'project-id-not-configured',
] as const)('the alert %s is shown once, even after it was dismissed [R8.1.1] [R8.1.2] [R8.1.3] [R8.1.4]', (code) => {
  const { latchkey } = fakeModalWorld()
  showAlert(latchkey, code)
  showAlert(latchkey, code)
  expect(modalOf(latchkey).alerts.getState()).toEqual([{ code, dismissed: false }])
  dismissAlert(latchkey, code)
  showAlert(latchkey, code)
  expect(modalOf(latchkey).alerts.getState()).toEqual([{ code, dismissed: true }])
})

test('dismissing one alert leaves the others', () => {
  const { latchkey } = fakeModalWorld()
  showAlert(latchkey, 'session-expired')
  showAlert(latchkey, 'network-not-found')
  dismissAlert(latchkey, 'session-expired')
  expect(modalOf(latchkey).alerts.getState()).toEqual([
    { code: 'session-expired', dismissed: true },
    { code: 'network-not-found', dismissed: false },
  ])
})
