import { connect, disconnect } from '@latchkey/core'
import {
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeExchange,
  fakeWorld,
  type FakeConnector,
} from '@latchkey/core/fakes'
import { setSwapAmount, chooseSwapToken, swapState } from '@latchkey/core/money'
import { openModal, pushView, reviewSwapFlow, type ViewEntry } from '@latchkey/modal'
import { expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { renderModal } from '../../../../testing/renderModal.tsx'
import { serveExchange } from '../../../../testing/serveExchange.ts'
import { shownView } from '../../../../testing/shownView.ts'

const chainId = 'eip155:1'
const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const server = 'https://server.invalid'
const swap: ViewEntry = { view: 'Swap', params: {} }

async function createConnectedWorld() {
  const exchange = fakeExchange(chainId, address)
  serveExchange(exchange, server)
  const wallet = fakeConnector()
  const adapter = fakeAdapter({ balances: { [address]: 5n * 10n ** 18n } })
  const world = fakeWorld({ adapters: [adapter], connectors: [wallet], server, projectId: '0'.repeat(32) })
  await connect(world.latchkey, 'fake')
  return { ...world, exchange, wallet }
}

/** Shows a swap of one coin for review. */
async function renderReview() {
  const world = await createConnectedWorld()
  const { latchkey, clock, exchange } = world
  const screen = await renderModal(latchkey, swap)
  await expect.poll(() => swapState(latchkey).getState().status).toBe('open')
  chooseSwapToken(latchkey, 'to', exchange.dollar)
  setSwapAmount(latchkey, '1')
  clock.advance(500)
  await expect.poll(() => swapState(latchkey).getState().quote.status).toBe('ready')
  await reviewSwapFlow(latchkey)
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toBeVisible()
  return { ...world, screen }
}

const changes: readonly [change: string, perform: (wallet: FakeConnector) => void][] = [
  ['account', (wallet) => wallet.emitAccounts([fakeAccount(chainId, 1)])],
  ['network', (wallet) => wallet.emitChain('eip155:2')],
]

test.each(changes)('the review returns to the form if the wallet changes its %s', async (_what, change) => {
  const { latchkey, wallet } = await renderReview()
  change(wallet)
  await expect.poll(() => shownView(latchkey)).toBe('Swap')
})

test('the review says that no wallet is connected once it is disconnected', async () => {
  const { latchkey, screen } = await renderReview()
  await disconnect(latchkey)
  await expect.element(screen.getByText('Connect a wallet to swap.')).toBeVisible()
})

test.each(['SwapPreview', 'SwapSelectToken'] as const)('%s is not empty if the app opens it', async (view) => {
  const { latchkey } = await createConnectedWorld()
  const entry = { view, params: { side: 'from' } } as ViewEntry
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByRole('button', { name: /COIN/ }).first()).toBeVisible()
})

test('the tokens of a network without swaps say so', async () => {
  const { latchkey, wallet } = await createConnectedWorld()
  const screen: RenderResult = await renderModal(latchkey, swap)
  await expect.poll(() => swapState(latchkey).getState().status).toBe('open')
  pushView(latchkey, { view: 'SwapSelectToken', params: { side: 'to' } })
  await expect.element(screen.getByRole('searchbox')).toBeVisible()
  wallet.emitChain('eip155:2')
  await expect.element(screen.getByRole('alert').last()).toBeVisible()
})

test('closing the modal with the tokens ends the swap', async () => {
  const { latchkey } = await createConnectedWorld()
  const screen = await renderModal(latchkey, { view: 'SwapSelectToken', params: { side: 'to' } })
  await expect.element(screen.getByRole('button', { name: /COIN/ }).first()).toBeVisible()
  openModal(latchkey)
  await expect.poll(() => swapState(latchkey).getState().status).toBe('closed')
})
