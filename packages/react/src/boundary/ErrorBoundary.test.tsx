import { connect, type LatchkeyEvent } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { sendState, type SendToken } from '@latchkey/core/money'
import { modalOf, openModal } from '@latchkey/modal'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectButton } from '../button/ConnectButton.tsx'
import { NetworkButton } from '../button/NetworkButton.tsx'
import { renderApp, renderModal } from '../testing/renderModal.tsx'
import { fakeTransfers } from '../testing/fakeTransfers.ts'

/** A value that throws while it is rendered, until it is repaired. */
function createBreakable<value extends object>(
  name: keyof value & string,
  value: value,
): { value: value; repair(): void } {
  let isBroken = true
  const whole = value[name]
  const get = (): unknown => {
    if (isBroken) throw new TypeError(`${name} is broken`)
    return whole
  }
  Object.defineProperty(value, name, { get, enumerable: true })
  return { value, repair: () => void (isBroken = false) }
}

async function connectTestWallet(): Promise<FakeWorld & { reports(): LatchkeyEvent[] }> {
  // React logs caught errors.
  const { error } = console
  console.error = () => {}
  onTestFinished(() => void (console.error = error))
  const adapter = fakeAdapter()
  fakeTransfers(adapter)
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  await connect(world.latchkey, 'fake')
  return { ...world, reports: () => world.events.filter(({ type }) => type === 'render-error') }
}

const failed = 'This view stopped working. Your assets and your connection are not affected.'
const page = <p>The page of the app</p>

test('view that fails to render shows a message, and renders again on request', async () => {
  const { latchkey, reports } = await connectTestWallet()
  const token: SendToken = {
    asset: { symbol: 'COIN', decimals: 18 },
    name: 'Coin',
    chainId: 'eip155:1',
    balance: 1n,
    price: 1,
  }
  const screen = await renderModal(latchkey, { view: 'WalletSend', params: {} }, { children: page })
  const { value, repair } = createBreakable('price', { ...token })
  sendState(latchkey).setState({ token: value })
  await expect.element(screen.getByText(failed)).toBeVisible()
  await expect.element(screen.getByText('The page of the app')).toBeInTheDocument()
  await expect.poll(reports).toMatchObject([
    {
      place: 'view',
      view: 'WalletSend',
      error: { code: 'render/failed', context: { place: 'view' }, cause: { message: 'price is broken' } },
    },
  ])
  repair()
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in COIN' })).toBeVisible()
})

test('view that fails to render can be closed', async () => {
  const { latchkey } = await connectTestWallet()
  const screen = await renderModal(latchkey, { view: 'WalletSend', params: {} }, { children: page })
  const { value } = createBreakable('asset', { asset: { symbol: 'COIN', decimals: 18 } })
  sendState(latchkey).setState({ token: value as SendToken })
  await expect.element(screen.getByText(failed)).toBeVisible()
  await screen.getByRole('dialog').getByText('Close', { exact: true }).click()
  expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
})

test('modal that fails as a whole closes, and the page stays', async () => {
  const { latchkey, reports } = await connectTestWallet()
  const { value: strings, repair } = createBreakable('modal', { modal: {} })
  const screen = await renderApp(latchkey, { children: page, strings })
  openModal(latchkey)
  await expect.poll(() => modalOf(latchkey).state.getState()).toEqual({ open: false })
  await expect.element(screen.getByText('The page of the app')).toBeVisible()
  await expect.poll(() => reports()[0]).toMatchObject({ place: 'modal', view: undefined })
  repair()
  openModal(latchkey)
  await expect.element(screen.getByRole('dialog')).toBeVisible()
})

test('button that fails to render is replaced by one that tries again', async () => {
  const { latchkey, reports } = await connectTestWallet()
  const { value: strings, repair } = createBreakable('networkButton', { networkButton: {} })
  const buttons = (
    <>
      <ConnectButton />
      <NetworkButton />
    </>
  )
  const screen = await renderApp(latchkey, { children: buttons, strings })
  const retry = screen.getByRole('button', { name: 'Try again' })
  await expect.element(retry).toBeVisible()
  expect(screen.getByRole('button').elements()).toHaveLength(2)
  await expect.poll(reports).toMatchObject([{ place: 'button', error: { code: 'render/failed' } }])
  repair()
  await retry.click()
  await expect.element(retry).not.toBeInTheDocument()
  expect(screen.getByRole('button').elements()).toHaveLength(2)
})
