import { connect } from '@latchkey/core'
import { fakeConnector, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { internalsOf } from '@latchkey/core/internal'
import {
  closeModal,
  dismissAlert,
  goBack,
  modalOf,
  openModal,
  pushView,
  showAlert,
  showToast,
  type ViewEntry,
} from '@latchkey/modal'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { LatchkeyEmbed } from '../LatchkeyEmbed.tsx'
import { ConnectButton } from '../button/ConnectButton.tsx'
import { emulatePreferences } from '../testing/emulatePreferences.ts'
import { waitForAnimations, renderApp, modalRoot, renderModal } from '../testing/renderModal.tsx'

const networks = { view: 'Networks', params: {} } as const

beforeEach(() => page.viewport(1024, 768))

describe('opening and closing', () => {
  test('a click opens the modal, Escape closes it, and focus returns to the button', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    const screen = await renderApp(latchkey)
    const button = screen.getByRole('button', { name: 'Connect' })
    await button.click()
    await expect.element(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
    expect(modalRoot().activeElement).toHaveTextContent('Connect wallet')
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
    expect(document.activeElement).toBe(button.element())
  })

  test('nothing is added to the page until it is idle or the modal opens', async () => {
    const { latchkey } = fakeWorld()
    const screen = await renderApp(latchkey)
    await expect.element(screen.getByRole('button', { name: 'Connect' })).toBeVisible()
    expect(document.querySelector('latchkey-modal')).toBeNull()
  })

  test('a click outside the modal closes it', async () => {
    const { latchkey } = fakeWorld()
    const screen = await renderModal(latchkey)
    await userEvent.click(screen.getByRole('dialog'), { position: { x: 20, y: 20 } })
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
  })

  test('the modal is 360 pixels wide on a desktop and a sheet on a phone, and fits 320 pixels [R2.2.9]', async () => {
    const { latchkey } = fakeWorld({
      connectors: [fakeConnector({ name: 'A wallet with a name that never ends '.repeat(3) })],
    })
    await renderModal(latchkey)
    await waitForAnimations()
    const card = (): DOMRect => modalRoot().querySelector('.card')?.getBoundingClientRect() ?? new DOMRect()
    expect(card().width).toBe(360)
    await page.viewport(390, 844)
    await waitForAnimations()
    expect([card().width, Math.round(card().bottom)]).toEqual([390, 844])
    await page.viewport(320, 640)
    expect(card().width).toBe(320)
    expect(modalRoot().querySelector('.pane')?.scrollWidth).toBeLessThanOrEqual(320)
  })

  test('the page does not scroll while the modal is open', async () => {
    const { latchkey } = fakeWorld()
    await renderModal(latchkey)
    expect(getComputedStyle(document.documentElement).overflowY).toBe('hidden')
    closeModal(latchkey)
    await expect.poll(() => getComputedStyle(document.documentElement).overflowY).toBe('visible')
  })

  test('the modal shakes for half a second when closing is refused [R2.2.6] [R2.2.9]', async () => {
    const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector()] })
    const account = await connect(latchkey, 'fake')
    latchkey.signIn.setState({ status: 'unsigned', account, required: true }, true)
    const screen = await renderModal(latchkey, { view: 'SIWXSignMessage', params: {} })
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => modalRoot().querySelector('[data-shaking]')).not.toBeNull()
    await expect.element(screen.getByRole('dialog')).toBeVisible()
    clock.advance(500)
    await expect.poll(() => modalRoot().querySelector('[data-shaking]')).toBeNull()
  })
})

describe('going from view to view', () => {
  test('the title names the view and has focus, and back returns [R2.2.1]', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    const screen = await renderModal(latchkey)
    expect(screen.getByRole('button', { name: 'Back' }).query()).toBeNull()
    pushView(latchkey, networks)
    await expect.element(screen.getByRole('heading', { name: 'Select network' })).toBeVisible()
    expect(modalRoot().activeElement).toHaveTextContent('Select network')
    await screen.getByRole('button', { name: 'Back' }).click()
    await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
    expect(modalRoot().activeElement).toHaveTextContent('Connect wallet')
  })

  test('forward and back slide in opposite directions, and the old view is inert [R2.2.5]', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    const screen = await renderModal(latchkey)
    const leaving = (): [string | null | undefined, boolean] => {
      const pane = modalRoot().querySelector<HTMLElement>('.pane[data-leaving]')
      return [pane?.parentElement?.getAttribute('data-direction'), pane?.inert ?? false]
    }
    pushView(latchkey, networks)
    await expect.poll(leaving).toEqual(['next', true])
    await expect.poll(() => modalRoot().querySelectorAll('.pane').length).toBe(1)
    goBack(latchkey)
    await expect.poll(leaving).toEqual(['prev', true])
    await expect.element(screen.getByRole('button', { name: 'Fake Wallet' })).toBeVisible()
  })

  test('views change neither the URL nor the history of the page [R2.1]', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    const before = [location.href, history.length]
    const screen = await renderModal(latchkey)
    pushView(latchkey, networks)
    await expect.element(screen.getByRole('heading', { name: 'Select network' })).toBeVisible()
    goBack(latchkey)
    await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
    closeModal(latchkey)
    expect([location.href, history.length]).toEqual(before)
  })

  test('titles change in 120 ms, views and heights in 150 ms [R2.2.9]', async () => {
    await emulatePreferences({ name: 'prefers-reduced-motion', value: 'no-preference' })
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    const animate = vi.spyOn(Element.prototype, 'animate')
    onTestFinished(() => animate.mockRestore())
    await renderModal(latchkey)
    const durationsOf = (selector: string): string | undefined => {
      const element = modalRoot().querySelector(selector)
      return element === null ? undefined : getComputedStyle(element).transitionDuration
    }
    expect(durationsOf('.title')).toBe('0.12s')
    expect(durationsOf('.pane')).toBe('0.15s, 0.15s')
    pushView(latchkey, networks)
    await expect
      .poll(() => animate.mock.calls.map(([, options]) => options))
      .toContainEqual(expect.objectContaining({ duration: 150 }))
  })

  test('an unknown view shows the first one', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    // An app without types may name anything.
    const nowhere = JSON.parse('{"view":"Nowhere","params":{}}') as ViewEntry
    const screen = await renderModal(latchkey, nowhere)
    await expect.element(screen.getByRole('button', { name: 'Fake Wallet' })).toBeVisible()
  })

  test('the first view on screen ends loading [R2.1.5]', async () => {
    const { latchkey } = fakeWorld()
    await renderModal(latchkey)
    await expect.poll(() => modalOf(latchkey).state.getState()).toMatchObject({ loading: false })
  })
})

describe('notices', () => {
  test('a toast is announced politely, an error at once, and a new one replaces the old [R3.15] [R9.1.7]', async () => {
    const { latchkey, clock } = fakeWorld()
    const screen = await renderApp(latchkey)
    showToast(latchkey, 'Address copied')
    await expect.element(screen.getByRole('status')).toHaveTextContent('Address copied')
    showToast(latchkey, 'Token Balance Unavailable', { variant: 'error' })
    clock.advance(150)
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Token Balance Unavailable')
    clock.advance(4_000)
    await expect.poll(() => modalRoot().querySelector(':popover-open')).toBeNull()
  })

  test('an app problem is explained until it is dismissed [R8.1.4]', async () => {
    const { latchkey } = fakeWorld()
    const screen = await renderModal(latchkey)
    showAlert(latchkey, 'project-id-not-configured')
    await expect.element(screen.getByRole('alert')).toHaveTextContent(/Project ID Not Configured .+ still work/)
    await screen.getByRole('button', { name: 'Dismiss: Project ID Not Configured' }).click()
    await expect.element(screen.getByText('Project ID Not Configured')).not.toBeInTheDocument()
    dismissAlert(latchkey, 'project-id-not-configured')
  })

  test('focus stays in the modal when an alert is dismissed', async () => {
    const { latchkey } = fakeWorld()
    const screen = await renderModal(latchkey)
    showAlert(latchkey, 'project-id-not-configured')
    await screen.getByRole('button', { name: 'Dismiss: Project ID Not Configured' }).click()
    await expect.element(screen.getByText('Project ID Not Configured')).not.toBeInTheDocument()
    expect(modalRoot().activeElement).toHaveTextContent('Connect wallet')
  })
})

describe('in the page', () => {
  test('the button shows the account in the embedded modal, and closing returns to the wallets [R2.2.4]', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    const children = [<ConnectButton key="button" />, <LatchkeyEmbed key="embed" />]
    const screen = await renderApp(latchkey, { children })
    await expect.element(screen.getByRole('region', { name: 'Connect wallet' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Close' }).query()).toBeNull()
    await screen.getByRole('button', { name: 'Fake Wallet' }).click()
    await expect.element(screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
    openModal(latchkey, { entry: networks })
    await expect.element(screen.getByRole('region', { name: 'Select network' })).toBeVisible()
    expect(screen.getByRole('dialog').query()).toBeNull()
    closeModal(latchkey)
    await expect.element(screen.getByRole('region', { name: 'Account' })).toBeVisible()
  })

  test('the embedded modal takes no focus from outside', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    const children = [<ConnectButton key="button" />, <LatchkeyEmbed key="embed" />]
    const screen = await renderApp(latchkey, { children })
    await expect.element(screen.getByRole('button', { name: 'Fake Wallet' })).toBeVisible()
    expect(document.activeElement).toBe(document.body)
  })
})

describe('looks', () => {
  test('the provider’s theme precedes the user’s choice, which precedes the system’s [R3.16] [R9.3.5]', async () => {
    const chosen = fakeStorage()
    internalsOf(fakeWorld({ storage: chosen }).latchkey).memory.setTheme('light')
    expect(chosen.values.get('theme')).toBe('light')
    const world = fakeWorld({ storage: chosen })
    const screen = await renderApp(world.latchkey)
    const button = screen.getByRole('button', { name: 'Connect' })
    await expect.element(button).toHaveAttribute('data-theme', 'light')
    await screen.unmount()
    await expect
      .element((await renderApp(world.latchkey, { theme: 'dark' })).getByRole('button', { name: 'Connect' }))
      .toHaveAttribute('data-theme', 'dark')
    await expect
      .element((await renderApp(fakeWorld().latchkey)).getByRole('button', { name: 'Connect' }).last())
      .toHaveAttribute('data-theme', 'system')
  })

  test('an app’s texts replace the defaults', async () => {
    const { latchkey } = fakeWorld()
    const screen = await renderModal(latchkey, undefined, { strings: { connect: { title: 'Come in' } } })
    await expect.element(screen.getByRole('heading', { name: 'Come in' })).toBeVisible()
  })
})
