import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeExchange, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { setSlippage } from '@latchkey/core/money'
import { afterEach, describe, expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { fakeOnRamp } from '../../testing/fakeOnRamp.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fakeTransfers } from '../../testing/fakeTransfers.ts'
import { waitForAnimations, modalRoot, renderModal } from '../../testing/renderModal.tsx'
import { serveExchange } from '../../testing/serveExchange.ts'

const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const bob = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0b0b'
const serverUrl = 'https://server.invalid'
const sizes = [
  [1280, 800],
  [1280, 600],
  [390, 844],
  [360, 640],
] as const

/** A balance that shows all lines of the forms. */
const coin = {
  name: 'Coin',
  symbol: 'COIN',
  chainId: 'eip155:1',
  price: 2_000,
  value: 4_000,
  quantity: { decimals: '18', numeric: '2' },
  iconUrl: '',
}

afterEach(() => page.viewport(414, 896))

async function connectTestWallet(server: string, projectId: string): Promise<FakeWorld> {
  const adapter = fakeAdapter({ balances: { [address]: 2n * 10n ** 18n } })
  fakeTransfers(adapter)
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], server, projectId })
  await connect(world.latchkey, 'fake')
  return world
}

async function renderSendView(): Promise<RenderResult> {
  const { url, projectId } = fakeServer({ balances: [coin] })
  const { latchkey } = await connectTestWallet(url, projectId)
  const screen = await renderModal(latchkey, { view: 'WalletSend', params: {} })
  await screen.getByRole('textbox', { name: /^Amount/ }).fill('1.5')
  await screen.getByRole('textbox', { name: 'To' }).fill(bob)
  await expect.element(screen.getByRole('button', { name: 'Preview send' })).toBeVisible()
  return screen
}

async function renderSwapView(): Promise<RenderResult> {
  const exchange = fakeExchange('eip155:1', address)
  serveExchange(exchange, serverUrl)
  const { latchkey, clock } = await connectTestWallet(serverUrl, '0'.repeat(32))
  const screen = await renderModal(latchkey, { view: 'Swap', params: {} })
  await screen.getByRole('button', { name: 'Select token' }).first().click()
  await screen.getByRole('region', { name: 'All tokens' }).getByRole('button').last().click()
  await screen.getByRole('textbox', { name: /^Amount/ }).fill('1.5')
  setSlippage(latchkey, 6)
  clock.advance(500)
  await expect.element(screen.getByRole('button', { name: 'Review swap' })).toHaveAttribute('aria-disabled', 'false')
  return screen
}

function getWarning(): Element {
  const found = modalRoot().querySelector('.warning')
  if (found === null) throw new Error('There is no warning.')
  return found
}

/** True if an element is visible without scrolling, and nothing covers it. */
async function isOnScreen(element: Element): Promise<boolean> {
  await waitForAnimations()
  const { top, bottom, left, width, height } = element.getBoundingClientRect()
  const hit = modalRoot().elementFromPoint(left + width / 2, top + height - 2)
  const card = modalRoot().querySelector('.card')
  return top >= 0 && bottom <= innerHeight && element.contains(hit) && card?.scrollHeight === card?.clientHeight
}

describe.each(sizes)('at %i by %i, without scrolling', (width, height) => {
  test('the button of a payment is visible, and so is the button of its review', { tags: 'browsers' }, async () => {
    await page.viewport(width, height)
    const screen = await renderSendView()
    const next = screen.getByRole('button', { name: 'Preview send' })
    expect(await isOnScreen(next.element())).toBe(true)
    await next.click()
    await expect.element(screen.getByRole('heading', { name: 'Review and send' })).toBeInTheDocument()
    await expect.poll(() => modalRoot().querySelectorAll('.pane').length).toBe(1)
    expect(await isOnScreen(screen.getByRole('button', { name: 'Send', exact: true }).element())).toBe(true)
  })

  test(
    'the button of a swap and its warning are visible, and so is the button that approves',
    { tags: 'browsers' },
    async () => {
      await page.viewport(width, height)
      const screen = await renderSwapView()
      const next = screen.getByRole('button', { name: 'Review swap' })
      expect(await isOnScreen(next.element())).toBe(true)
      expect(await isOnScreen(getWarning())).toBe(true)
      await next.click()
      await expect.element(screen.getByRole('button', { name: 'Cancel' })).toBeVisible()
      await expect.poll(() => modalRoot().querySelectorAll('.pane').length).toBe(1)
      expect(await isOnScreen(screen.getByRole('button', { name: 'Swap', exact: true }).element())).toBe(true)
      expect(await isOnScreen(getWarning())).toBe(true)
    },
  )

  test('the button of a purchase is visible', async () => {
    await page.viewport(width, height)
    const { url } = fakeOnRamp('eip155:1')
    const { latchkey } = await connectTestWallet(url, 'ab'.repeat(16))
    const screen = await renderModal(latchkey, { view: 'OnRampProviders', params: {} })
    await screen.getByRole('textbox', { name: 'Amount in USD' }).fill('100')
    expect(await isOnScreen(screen.getByRole('button', { name: 'Continue to Sandbox' }).element())).toBe(true)
  })
})
