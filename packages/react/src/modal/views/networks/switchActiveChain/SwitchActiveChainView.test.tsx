import { connect, getAccount } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { renderModal } from '../../../../testing/renderModal.tsx'

function createWorld(): FakeWorld {
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  const connectors = [fakeConnector(), fakeConnector({ id: 'ray', name: 'Ray', namespaces: ['solana'] })]
  return fakeWorld({ adapters, connectors })
}

test('a network of another namespace leads to its wallets, and connections stay [R4.2.1]', async () => {
  const { latchkey } = createWorld()
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, { view: 'Networks', params: {} })
  await screen.getByRole('region', { name: 'Fake solana' }).getByRole('button', { name: 'Network 2' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Switch network' })).toBeVisible()
  await expect.element(screen.getByText(/Fake Wallet is not connected to Fake solana/)).toBeVisible()
  await screen.getByRole('button', { name: 'Connect a wallet' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Ray' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Fake Wallet' }).query()).toBeNull()
  expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', network: { caipNetworkId: 'solana:2' } })
  expect(getAccount(latchkey, 'eip155').status).toBe('connected')
})

test('a namespace with a connected wallet is activated at once', async () => {
  const { latchkey } = createWorld()
  await connect(latchkey, 'fake')
  await connect(latchkey, 'ray')
  const screen = await renderModal(latchkey, { view: 'SwitchActiveChain', params: { namespace: 'eip155' } })
  await expect.element(screen.getByText(/You continue with Fake Wallet on Fake eip155/)).toBeVisible()
  await screen.getByRole('button', { name: 'Switch' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake' })
})

test('the view is translated to German', async () => {
  const { latchkey } = createWorld()
  const screen = await renderModal(
    latchkey,
    { view: 'SwitchActiveChain', params: { namespace: 'solana' } },
    { locale: 'de' },
  )
  await expect.element(screen.getByText('Verbinde eine Wallet, die mit Fake solana umgehen kann.')).toBeVisible()
})
