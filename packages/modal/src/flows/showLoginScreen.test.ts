import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { modalOf } from '../modal.ts'
import { expect, onTestFinished, test } from 'vitest'
import { start, type Latchkey } from '@latchkey/core'
import { fakeConnector, fakeLogin, flushTasks, type FakeLogin } from '@latchkey/core/fakes'
import { currentEntry } from '../navigation/modalState.ts'
import { closeModal, goBack, openModal } from '../navigation/openModal.ts'

async function setUp(): Promise<{ latchkey: Latchkey; login: FakeLogin }> {
  const login = fakeLogin()
  const connector = fakeConnector({ id: 'embedded', type: 'embedded', login })
  const latchkey = fakeModalWorld({ connectors: [connector] }).latchkey
  onTestFinished(start(latchkey))
  // The code that follows logins is loaded on demand.
  await expect.poll(() => login.listening()).toBe(1)
  await flushTasks()
  return { latchkey, login }
}

function getView(latchkey: Latchkey): string | undefined {
  const state = modalOf(latchkey).state.getState()
  return state.open ? currentEntry(state).view : undefined
}

const screen = { height: 480 }

test('a wallet screen opens the modal, and closes it when it is done', async () => {
  const { latchkey, login } = await setUp()
  login.set({ screen })
  expect(getView(latchkey)).toBe('ApproveTransaction')
  login.set({ screen: undefined })
  expect(getView(latchkey)).toBeUndefined()
  expect(login.rejections).toBe(0)
})

test('a wallet screen in an open modal returns to the previous view when it is done', async () => {
  const { latchkey, login } = await setUp()
  openModal(latchkey, { entry: { view: 'Networks', params: {} } })
  login.set({ screen })
  expect(getView(latchkey)).toBe('ApproveTransaction')
  login.set({ screen: { height: 300 } })
  login.set({ screen: undefined })
  expect(getView(latchkey)).toBe('Networks')
  expect(login.rejections).toBe(0)
})

test('a wallet screen that ends while the code for events is loaded leaves no view', async () => {
  const { latchkey, login } = await setUp()
  const { tasks, alerts } = modalOf(latchkey)
  delete tasks.handleEvent
  latchkey.events.emit({ type: 'problem', code: 'session-expired' })
  login.set({ screen })
  // The code has arrived and handles the first of the two events.
  onTestFinished(alerts.subscribe(() => login.set({ screen: undefined })))
  await expect.poll(() => login.state.get().screen).toBeUndefined()
  await flushTasks()
  expect(getView(latchkey)).toBeUndefined()
})

test('closing the modal rejects pending requests [R2.2.7]', async () => {
  const { latchkey, login } = await setUp()
  login.set({ screen })
  closeModal(latchkey)
  expect(login.rejections).toBe(1)
  // The frame removes its screen afterwards, which is not a rejection.
  login.set({ screen: undefined })
  expect(login.rejections).toBe(1)
})

test('going back rejects pending requests', async () => {
  const { latchkey, login } = await setUp()
  openModal(latchkey, { entry: { view: 'Networks', params: {} } })
  login.set({ screen })
  goBack(latchkey)
  expect(getView(latchkey)).toBe('Networks')
  expect(login.rejections).toBe(1)
})

test('closing a modal without a wallet screen rejects no request', async () => {
  const { latchkey, login } = await setUp()
  openModal(latchkey)
  closeModal(latchkey)
  expect(login.rejections).toBe(0)
})

test('a method that is not allowed shows an alert, and rejects pending requests [R8.2.11]', async () => {
  const { latchkey, login } = await setUp()
  login.emit({ type: 'not-allowed', method: 'eth_sign' })
  expect(modalOf(latchkey).toast.getState()).toMatchObject({
    open: true,
    message: 'Action not allowed',
    variant: 'error',
  })
  expect(login.rejections).toBe(1)
})

test('a frame that fails to load shows one alert for the developer [R8.1.1]', async () => {
  const { latchkey, login } = await setUp()
  login.emit({ type: 'blocked' })
  login.emit({ type: 'blocked' })
  expect(modalOf(latchkey).alerts.getState()).toEqual([{ code: 'embedded-wallet-blocked', dismissed: false }])
})

test('screens are ignored after detach', async () => {
  const login = fakeLogin()
  const connector = fakeConnector({ id: 'embedded', type: 'embedded', login })
  const latchkey = fakeModalWorld({ connectors: [connector] }).latchkey
  const stop = start(latchkey)
  await flushTasks()
  stop()
  login.set({ screen })
  expect(getView(latchkey)).toBeUndefined()
})
