import { closeModal, openModal } from '@latchkey/modal'
import { fakeConnector, fakeLoginWorld, fakeWorld } from '@latchkey/core/fakes'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderApp, modalRoot } from '../testing/renderModal.tsx'
import { fakeServer, walletList } from '../testing/fakeServer.ts'

/** Sets the value of `navigator.connection.saveData` until the test is over. */
function setSaveData(saveData: boolean): void {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData } })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
}

function findDialog(): HTMLDialogElement | null {
  return document.querySelector('latchkey-modal')?.shadowRoot?.querySelector('dialog') ?? null
}

/** Reads a value in each of the first frames in which the dialog is open. */
async function readFrames<value>(read: () => value): Promise<value[]> {
  const values: value[] = []
  while (values.length < 20) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    if (findDialog()?.open === true) values.push(read())
  }
  return values
}

async function waitForFrames(): Promise<void> {
  for (let frame = 0; frame < 20; frame += 1) await new Promise((resolve) => requestIdleCallback(resolve))
}

beforeEach(() => page.viewport(1024, 768))

test('with Save-Data nothing is loaded before the pointer approaches', async () => {
  setSaveData(true)
  await userEvent.unhover(document.body)
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey)
  clock.advance(10_000)
  await waitForFrames()
  expect(findDialog()).toBeNull()
  await screen.getByRole('button', { name: 'Connect' }).hover()
  await expect.poll(() => findDialog()).not.toBeNull()
})

test('an idle page prepares the closed dialog, and the first click shows the same elements', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector({ name: 'Prepared Wallet' })] })
  const screen = await renderApp(latchkey)
  expect(findDialog()).toBeNull()
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelector('.card')?.textContent).toContain('Prepared Wallet')
  expect(findDialog()?.open).toBe(false)
  const card = modalRoot().querySelector('.card')
  const pane = modalRoot().querySelector('.pane')
  await screen.getByRole('button', { name: 'Connect' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  expect(modalRoot().querySelector('.card')).toBe(card)
  expect(modalRoot().querySelectorAll('.pane')).toHaveLength(1)
  expect(modalRoot().querySelector('.pane')).toBe(pane)
})

test('a modal that was closed is prepared again, and the next click shows it', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey)
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelector('.card') ?? null).not.toBeNull()
  const first = modalRoot().querySelector('.card')
  openModal(latchkey)
  await expect.element(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  closeModal(latchkey)
  await expect.poll(() => findDialog()?.open).toBe(false)
  clock.advance(1_000)
  await expect.poll(() => modalRoot().querySelector('.card') ?? first).not.toBe(first)
  const second = modalRoot().querySelector('.card')
  await screen.getByRole('button', { name: 'Connect' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  expect(modalRoot().querySelector('.card')).toBe(second)
})

test('a prepared dialog that opens with another view shows only that view', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey)
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelector('.card') ?? null).not.toBeNull()
  const shown = readFrames(() =>
    [...modalRoot().querySelectorAll<HTMLElement>('.pane')].map(({ dataset }) => dataset.view),
  )
  openModal(latchkey, { entry: { view: 'WhatIsAWallet', params: {} } })
  await expect.element(screen.getByRole('dialog', { name: 'What is a wallet?' })).toBeVisible()
  expect((await shown).flat().filter((view) => view === 'Connect')).toEqual([])
})

test('the modal is opaque in the first frame after opening', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector()] })
  await renderApp(latchkey)
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelector('.card') ?? null).not.toBeNull()
  const opacities = readFrames(() =>
    [...modalRoot().querySelectorAll('.card')].map((card) => getComputedStyle(card).opacity),
  )
  openModal(latchkey)
  expect(new Set((await opacities).flat())).toEqual(new Set(['1']))
})

test('a prepared dialog sends no requests and loads no pictures before it opens', async () => {
  const server = fakeServer({ wallets: walletList(3) })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
  const icon = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  onTestFinished(() => URL.revokeObjectURL(icon))
  const { latchkey, clock } = fakeWorld({
    server: server.url,
    projectId: server.projectId,
    connectors: [
      fakeConnector({ id: 'a', icon }),
      fakeConnector({ id: 'walletConnect', type: 'walletConnect', name: 'WalletConnect' }),
    ],
  })
  const screen = await renderApp(latchkey)
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelectorAll('.row').length).toBeGreaterThan(0)
  await waitForFrames()
  expect(server.requests).toEqual([])
  expect(modalRoot().querySelector('img')).toBeNull()
  await screen.getByRole('button', { name: 'Connect' }).click()
  await expect.element(screen.getByRole('button', { name: 'Wallet 1' })).toBeVisible()
  expect(modalRoot().querySelector('img')).toHaveAttribute('src', icon)
})

test('a prepared dialog with logins shows their place, and the logins when it opens', async () => {
  const { latchkey, clock } = fakeLoginWorld()
  const screen = await renderApp(latchkey)
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelector('.login-room') ?? null).not.toBeNull()
  await waitForFrames()
  expect(findDialog()?.querySelector('input')).toBeNull()
  await screen.getByRole('button', { name: 'Connect' }).click()
  await expect.element(screen.getByRole('textbox')).toBeVisible()
})

test('a click shows the prepared dialog before its content is rendered with the state of the open modal', async () => {
  const { latchkey, clock } = fakeLoginWorld()
  const screen = await renderApp(latchkey)
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelector('.login-room') ?? null).not.toBeNull()
  await waitForFrames()
  const { showModal } = HTMLDialogElement.prototype
  const shown: string[] = []
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    shown.push(this.querySelector('input') === null ? 'prepared' : 'rendered again')
    showModal.call(this)
  }
  onTestFinished(() => void Object.assign(HTMLDialogElement.prototype, { showModal }))
  await screen.getByRole('button', { name: 'Connect' }).click()
  await expect.element(screen.getByRole('textbox')).toBeVisible()
  expect(shown).toEqual(['prepared'])
})

test('an idle page lays out the closed dialog once, and no frame shows it', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector()] })
  const { getBoundingClientRect } = HTMLDialogElement.prototype
  const layouts: string[] = []
  HTMLDialogElement.prototype.getBoundingClientRect = function (this: HTMLDialogElement) {
    const { display, visibility } = getComputedStyle(this)
    layouts.push(display === 'none' ? display : visibility)
    return getBoundingClientRect.call(this)
  }
  onTestFinished(() => void Reflect.deleteProperty(HTMLDialogElement.prototype, 'getBoundingClientRect'))
  await renderApp(latchkey)
  clock.advance(1_000)
  await expect.poll(() => findDialog()?.querySelector('.card') ?? null).not.toBeNull()
  clock.advance(1_000)
  await expect.poll(() => layouts).toEqual(['hidden', 'none'])
  const dialog = findDialog()
  expect(dialog?.getAttribute('style') ?? '').toBe('')
  expect(dialog?.getAnimations()).toEqual([])
  expect(dialog === null ? '' : getComputedStyle(dialog).display).toBe('none')
})
