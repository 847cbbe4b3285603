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
import { currentEntry, modalOf, openModal, pushView, reviewSwapFlow, type ViewEntry } from '@latchkey/modal'
import { expect, onTestFinished, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { renderModal } from '../../../../testing/renderModal.tsx'

const chainId = 'eip155:1'
const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const server = 'https://server.invalid'
const swap: ViewEntry = { view: 'Swap', params: {} }

async function createConnectedWorld() {
  const exchange = fakeExchange(chainId, address)
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== server) return fetch(input, init)
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const response = await exchange.respond({ path: url.pathname, query: Object.fromEntries(url.searchParams), body })
    return Response.json(response.body, { status: response.status ?? 200 })
  }
  const wallet = fakeConnector()
  const adapter = fakeAdapter({ balances: { [address]: 5n * 10n ** 18n } })
  const world = fakeWorld({ adapters: [adapter], connectors: [wallet], server, projectId: '0'.repeat(32) })
  await connect(world.latchkey, 'fake')
  const shownView = (): string | undefined => {
    const state = modalOf(world.latchkey).state.getState()
    return state.open ? currentEntry(state).view : undefined
  }
  return { ...world, exchange, wallet, shownView }
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
  const { wallet, shownView } = await renderReview()
  change(wallet)
  await expect.poll(shownView).toBe('Swap')
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
