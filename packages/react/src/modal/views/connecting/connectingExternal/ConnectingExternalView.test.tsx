import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { goBack, pushView } from '@latchkey/modal'
import { walletError, requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { renderModal } from '../../../../testing/renderModal.tsx'

const entry = { view: 'ConnectingExternal', params: { connectorId: 'fake' } } as const

test('the wallet gets one request per visit, even in strict mode, and success closes the modal', async () => {
  const connector = fakeConnector({ neverResponds: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByRole('status').first()).toHaveTextContent('Approve in Fake Wallet')
  expect(connector.connectRequests).toHaveLength(1)
  connector.approve()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(connector.connectRequests).toHaveLength(1)
})

test('after eight seconds the view says how to open the wallet', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector({ neverResponds: true })] })
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByText('The wallet asks whether this app may see your address.')).toBeVisible()
  clock.advance(8_000)
  await expect.element(screen.getByText(/No request\? Open Fake Wallet/)).toBeVisible()
})

test('a rejected request is shown and can be retried', async () => {
  const connector = fakeConnector({ neverResponds: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderModal(latchkey, entry)
  connector.reject()
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Request rejected')
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByText('Approve in Fake Wallet')).toBeVisible()
  expect(connector.connectRequests).toHaveLength(2)
})

test('going back aborts the request, and a late approval connects nothing', async () => {
  const connector = fakeConnector({ neverResponds: true, ignoresAbort: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderModal(latchkey)
  pushView(latchkey, entry)
  await expect.element(screen.getByText('Approve in Fake Wallet')).toBeVisible()
  goBack(latchkey)
  await expect.poll(() => connector.connectRequests[0]?.signal.aborted).toBe(true)
  connector.approve()
  await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
  expect(latchkey.wallet.getState().namespaces.eip155).toEqual({ status: 'disconnected' })
})

test('a missing wallet and an unresponsive wallet have different texts', async () => {
  const missing = await renderModal(fakeWorld().latchkey, entry)
  await expect.element(missing.getByRole('alert').last()).toHaveTextContent('This wallet is no longer available')
  await expect.element(missing.getByRole('button', { name: 'Choose another wallet' })).toBeVisible()
  await missing.unmount()
  const rejectWith = walletError('wallet/unavailable', { wallet: 'Fake Wallet' })
  const silent = await renderModal(fakeWorld({ connectors: [fakeConnector({ rejectWith })] }).latchkey, entry)
  await expect.element(silent.getByRole('alert').last()).toHaveTextContent('Fake Wallet is not responding')
})

test('an unknown error says what to do without its own text', async () => {
  const rejectWith = new Error('0xdeadbeef at wallet.js:1')
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ rejectWith })] })
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Try again, or choose another wallet.')
  expect(screen.getByText(/deadbeef/).query()).toBeNull()
})

test('a wallet with a pending request says that it must be completed first', async () => {
  const rejectWith = requestError('request/failed', { method: 'ask', code: -32002, reason: 'it waits' })
  const screen = await renderModal(fakeWorld({ connectors: [fakeConnector({ rejectWith })] }).latchkey, entry)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Fake Wallet has a pending request')
  await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('an extension that shared no account says where to allow one, and is asked again', async () => {
  const rejectWith = walletError('wallet/no-accounts', { wallet: 'Fake Wallet' })
  const screen = await renderModal(fakeWorld({ connectors: [fakeConnector({ rejectWith })] }).latchkey, entry)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('No account was shared')
  await expect.element(screen.getByText(/Allow one in the extension’s website access settings/).first()).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})
