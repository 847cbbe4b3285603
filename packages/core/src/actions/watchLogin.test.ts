import { expect, onTestFinished, test } from 'vitest'
import { createLatchkey, type Latchkey } from '../latchkey.ts'
import { currentEntry } from '../modal/modal.ts'
import { fakeAdapter, fakeConnector, fakeLogin, settled, type FakeLogin } from '../testing/index.ts'
import { closeModal, goBack, openModal } from './navigation.ts'
import { start } from './start.ts'

async function setUp(): Promise<{ latchkey: Latchkey; login: FakeLogin }> {
  const login = fakeLogin()
  const connector = fakeConnector({ id: 'embedded', type: 'embedded', login })
  const latchkey = createLatchkey({ adapters: [fakeAdapter()], connectors: [connector] })
  onTestFinished(start(latchkey))
  await import('./rare.ts')
  await settled()
  return { latchkey, login }
}

function view({ modal }: Latchkey): string | undefined {
  const state = modal.getState()
  return state.open ? currentEntry(state).view : undefined
}

const screen = { height: 480 }

test('what the wallet wants to be seen for opens the modal, and closes it when it was answered', async () => {
  const { latchkey, login } = await setUp()
  login.set({ screen })
  expect(view(latchkey)).toBe('ApproveTransaction')
  login.set({ screen: undefined })
  expect(view(latchkey)).toBeUndefined()
  expect(login.rejections).toBe(0)
})

test('in an open modal it stands above the view that was there, which comes back', async () => {
  const { latchkey, login } = await setUp()
  openModal(latchkey, { entry: { view: 'Networks', params: {} } })
  login.set({ screen })
  expect(view(latchkey)).toBe('ApproveTransaction')
  login.set({ screen: { height: 300 } })
  login.set({ screen: undefined })
  expect(view(latchkey)).toBe('Networks')
  expect(login.rejections).toBe(0)
})

test('closing the modal rejects what waits for the visitor [R2.2.7]', async () => {
  const { latchkey, login } = await setUp()
  login.set({ screen })
  closeModal(latchkey)
  expect(login.rejections).toBe(1)
  // The frame takes its screen away afterwards, which is nobody's turning away.
  login.set({ screen: undefined })
  expect(login.rejections).toBe(1)
})

test('going back rejects it, too', async () => {
  const { latchkey, login } = await setUp()
  openModal(latchkey, { entry: { view: 'Networks', params: {} } })
  login.set({ screen })
  goBack(latchkey)
  expect(view(latchkey)).toBe('Networks')
  expect(login.rejections).toBe(1)
})

test('closing a modal that shows nothing of the wallet rejects nothing', async () => {
  const { latchkey, login } = await setUp()
  openModal(latchkey)
  closeModal(latchkey)
  expect(login.rejections).toBe(0)
})

test('a method that is not allowed is told, and what waits is rejected [R8.2.11]', async () => {
  const { latchkey, login } = await setUp()
  login.tell({ type: 'not-allowed', method: 'eth_sign' })
  expect(latchkey.toast.getState()).toMatchObject({ open: true, message: 'Action not allowed', variant: 'error' })
  expect(login.rejections).toBe(1)
})

test('a frame that does not come is told as a mistake of the app, once [R8.1.1]', async () => {
  const { latchkey, login } = await setUp()
  login.tell({ type: 'blocked' })
  login.tell({ type: 'blocked' })
  expect(latchkey.alerts.getState()).toEqual([{ code: 'invalid-app-configuration', dismissed: false }])
})

test('nothing is followed any more after the end', async () => {
  const login = fakeLogin()
  const connector = fakeConnector({ id: 'embedded', type: 'embedded', login })
  const latchkey = createLatchkey({ adapters: [fakeAdapter()], connectors: [connector] })
  const stop = start(latchkey)
  await import('./rare.ts')
  await settled()
  stop()
  login.set({ screen })
  expect(view(latchkey)).toBeUndefined()
})
