import { connect } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeHash, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { pendingTransactions, type Outcome } from '@latchkey/core/money'
import { expect, onTestFinished, test } from 'vitest'
import { renderApp, modalRoot } from '../../../testing/renderModal.tsx'
import { fakeTransfers } from '../../../testing/fakeTransfers.ts'

const chainId = 'eip155:1'
const hash = fakeHash('w', 1)
const address = fakeAccount(chainId).split(':')[2]

/** A page whose storage has payments of an earlier page load, on a chain that settles them when told. */
async function renderAppWithPending(stored: readonly object[]) {
  const values = { [`@latchkey/pending/${chainId}/${address}`]: JSON.stringify(stored) }
  const storage = fakeStorage({ values: stored.length === 0 ? {} : values })
  const adapter = fakeAdapter()
  const followed: string[] = []
  const chain = { isMined: false }
  const transfers = Object.assign(fakeTransfers(adapter), {
    follow: async (_network: unknown, _from: unknown, sent: { hash: string }): Promise<Outcome> => {
      followed.push(sent.hash)
      return chain.isMined
        ? { status: 'mined', hash: sent.hash, blockNumber: 1n }
        : { status: 'unknown', hash: sent.hash }
    },
  })
  Object.assign(adapter, { transfers: async () => transfers })
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], storage })
  await connect(world.latchkey, 'fake')
  return { ...world, chain, followed, screen: await renderApp(world.latchkey) }
}

const payment = { hash, what: { kind: 'send', amount: '1', symbol: 'COIN' }, since: 1 }

test('a payment of an earlier page load is shown on the button and reported above the page, without opening the modal', async () => {
  const { latchkey, clock, chain, screen } = await renderAppWithPending([payment])
  // The code of the modal is loaded while the page is idle.
  clock.advance(100)
  await expect.element(screen.getByRole('button', { name: /1 pending/ })).toBeVisible()
  const { top, height } = document.body.getBoundingClientRect()
  chain.isMined = true
  await expect
    .poll(() => {
      clock.advance(1_000)
      return modalRoot().querySelector('.toast[data-variant=success]:popover-open')?.textContent
    })
    .toContain('Your transaction is confirmed.')
  expect(document.body.getBoundingClientRect()).toMatchObject({ top, height })
  await expect.element(screen.getByRole('button', { name: /Pending/ })).not.toBeInTheDocument()
  expect(pendingTransactions(latchkey).getState()).toEqual([])
  const notice = screen.getByRole('status').filter({ hasText: 'Your transaction is confirmed.' })
  await expect.element(notice.getByRole('link', { name: 'View in explorer' })).toBeVisible()
  await notice.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => modalRoot().querySelector('.toast:popover-open')).toBeNull()
})

test('a purchase of an earlier page load that arrived is reported above the page, without opening the modal', async () => {
  const id = `sandbox_${'a'.repeat(22)}`
  const account = fakeAccount(chainId)
  const storage = fakeStorage()
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  const purchaseAmount = { amount: '0.0392', currency: 'ETH' }
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== 'https://server.invalid') return fetch(input, init)
    if (url.pathname !== '/v1/onramp/purchases') return Response.json({}, { status: 404 })
    return Response.json({ purchases: [{ id, provider: 'sandbox', status: 'arrived', purchaseAmount }] })
  }
  const { latchkey, clock } = fakeWorld({
    connectors: [fakeConnector()],
    storage,
    server: 'https://server.invalid',
    projectId: '0'.repeat(32),
  })
  const started = [id, { account, chainId, since: clock.now() }]
  storage.setItem('@latchkey/started_purchases', JSON.stringify([started]))
  await connect(latchkey, 'fake')
  const screen = await renderApp(latchkey)
  await expect
    .poll(() => {
      clock.advance(1_000)
      return modalRoot().querySelector('.toast[data-variant=success]:popover-open')?.textContent ?? ''
    })
    .toContain('0.039 ETH arrived')
  expect(storage.values.has('@latchkey/started_purchases')).toBe(false)
  await screen.getByRole('status').getByRole('button', { name: 'Close' }).click()
})

test('a page without pending payments loads no code and sends no requests for them', async () => {
  const { latchkey, clock, followed, screen } = await renderAppWithPending([])
  clock.advance(100)
  await expect.poll(() => document.querySelector('latchkey-modal')).not.toBeNull()
  clock.advance(600_000)
  expect(followed).toEqual([])
  expect(pendingTransactions(latchkey).getState()).toEqual([])
  await expect.element(screen.getByRole('button', { name: /Pending/ })).not.toBeInTheDocument()
})
