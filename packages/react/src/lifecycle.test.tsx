import { connect, type Latchkey } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { closeModal, modalOf, openModal } from '@latchkey/modal'
import { StrictMode, type ReactElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { ConnectButton, LatchkeyProvider, NetworkButton } from './index.ts'
import { renderApp, renderModal } from './testing/renderModal.tsx'

function App({ latchkey }: { latchkey: Latchkey }): ReactElement {
  return (
    <StrictMode>
      <LatchkeyProvider latchkey={latchkey} locale="auto">
        <ConnectButton />
        <NetworkButton />
      </LatchkeyProvider>
    </StrictMode>
  )
}

test('server markup hydrates without warnings, and the remembered wallet follows', async () => {
  const storage = fakeStorage()
  await connect(fakeWorld({ storage, connectors: [fakeConnector()] }).latchkey, 'fake')
  const { latchkey } = fakeWorld({ storage, connectors: [fakeConnector({ restores: true })] })
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = renderToString(<App latchkey={latchkey} />)
  expect(container).toHaveTextContent('Connect')
  const complaints: unknown[] = []
  const root = hydrateRoot(container, <App latchkey={latchkey} />, {
    onRecoverableError: (error) => void complaints.push(error),
  })
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  await expect.poll(() => container.textContent).toContain('0xaa…aafa4e')
  expect(complaints).toEqual([])
})

/** Counts the resources that are still held: listeners of the page and of the stores, style sheets, elements. */
function trackSubscriptions(latchkey: Latchkey): { count(): readonly number[] } {
  const held = new Map<unknown, number>()
  const add = (what: unknown, by: number): void => void held.set(what, (held.get(what) ?? 0) + by)
  const { addEventListener, removeEventListener } = EventTarget.prototype
  const isPage = (target: unknown): boolean => [window, document, window.visualViewport].some((page) => page === target)
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (isPage(this ?? window)) add('page', 1)
    addEventListener.call(this ?? window, type, listener, options)
  }
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    if (isPage(this ?? window)) add('page', -1)
    removeEventListener.call(this ?? window, type, listener, options)
  }
  onTestFinished(() => void Object.assign(EventTarget.prototype, { addEventListener, removeEventListener }))
  for (const store of [
    latchkey.wallet,
    modalOf(latchkey).state,
    modalOf(latchkey).toast,
    modalOf(latchkey).alerts,
    latchkey.connectors,
  ]) {
    const { subscribe } = store
    Object.assign(store, {
      subscribe(listener: () => void) {
        add('stores', 1)
        const stop = subscribe(listener)
        return () => {
          add('stores', -1)
          stop()
        }
      },
    })
  }
  const sheets = (): number => document.adoptedStyleSheets.length
  const elements = (): number => document.querySelectorAll('latchkey-modal, .latchkey-button').length
  return { count: () => [held.get('page') ?? 0, held.get('stores') ?? 0, sheets(), elements()] }
}

async function heapBytes(): Promise<number> {
  await cdp().send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp().send('Runtime.getHeapUsage')
  return usedSize
}

test('fifty mounts in strict mode, each with an open modal, leave no resources behind', async () => {
  const { latchkey, adapter } = fakeWorld({ connectors: [fakeConnector()] })
  const { count } = trackSubscriptions(latchkey)
  const visit = async (): Promise<void> => {
    const screen = await renderModal(latchkey)
    expect(adapter.looking()).toBe(1)
    closeModal(latchkey)
    await screen.unmount()
  }
  for (let mount = 0; mount < 10; mount += 1) await visit()
  const [before, heap] = [count(), await heapBytes()]
  for (let mount = 0; mount < 40; mount += 1) await visit()
  expect(count()).toEqual(before)
  expect([before[1], before[2], before[3]]).toEqual([0, 0, 0])
  expect(adapter.looking()).toBe(0)
  // A leaked mount would hold several hundred kilobytes, forty times.
  expect((await heapBytes()) - heap).toBeLessThan(4_000_000)
})

test('two instances in one page have separate wallets, modals, languages and themes', async () => {
  const one = fakeWorld({ connectors: [fakeConnector()] })
  const other = fakeWorld({ adapters: [fakeAdapter()], connectors: [fakeConnector({ name: 'Other Wallet' })] })
  const screen = await renderApp(one.latchkey, {
    theme: 'light',
    children: (
      <>
        <ConnectButton label="One" />
        <LatchkeyProvider latchkey={other.latchkey} theme="dark" locale="de">
          <ConnectButton label="Other" />
        </LatchkeyProvider>
      </>
    ),
  })
  await connect(one.latchkey, 'fake')
  await expect.element(screen.getByRole('button', { name: /0xaa/ })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Other' })).toHaveAttribute('data-theme', 'dark')
  openModal(other.latchkey)
  await expect.element(screen.getByRole('dialog', { name: 'Wallet verbinden' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Other Wallet' })).toBeVisible()
  expect(modalOf(one.latchkey).state.getState()).toEqual({ open: false })
  closeModal(other.latchkey)
  openModal(one.latchkey)
  await expect.element(screen.getByRole('dialog', { name: 'Account' })).toBeVisible()
  const themes = [...document.querySelectorAll('latchkey-modal')].map((host) => host.getAttribute('data-theme'))
  expect(themes.toSorted()).toEqual(['dark', 'light'])
})
