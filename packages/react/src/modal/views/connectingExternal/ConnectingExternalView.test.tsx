import { goBack, pushView } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { opened } from '../../../testing/drawn.tsx'

const entry = { view: 'ConnectingExternal', params: { connectorId: 'fake' } } as const

test('the wallet is asked once per visit, strict mode or not, and success closes the modal', async () => {
  const connector = fakeConnector({ neverAnswers: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await opened(latchkey, entry)
  await expect.element(screen.getByRole('status').first()).toHaveTextContent('Approve in Fake Wallet')
  expect(connector.asked).toHaveLength(1)
  connector.approve()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(connector.asked).toHaveLength(1)
})

test('a wallet that shows nothing for eight seconds is to be opened by hand', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector({ neverAnswers: true })] })
  const screen = await opened(latchkey, entry)
  await expect.element(screen.getByText('The wallet asks whether this site may see your address.')).toBeVisible()
  clock.advance(8_000)
  await expect.element(screen.getByText(/Nothing there\? Open Fake Wallet/)).toBeVisible()
})

test('who declined is told so, and can try again', async () => {
  const connector = fakeConnector({ neverAnswers: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await opened(latchkey, entry)
  connector.reject()
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Request declined')
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByText('Approve in Fake Wallet')).toBeVisible()
  expect(connector.asked).toHaveLength(2)
})

test('going back gives up waiting, and a late approval connects nobody', async () => {
  const connector = fakeConnector({ neverAnswers: true, ignoresAbort: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await opened(latchkey)
  pushView(latchkey, entry)
  await expect.element(screen.getByText('Approve in Fake Wallet')).toBeVisible()
  goBack(latchkey)
  await expect.poll(() => connector.asked[0]?.signal.aborted).toBe(true)
  connector.approve()
  await expect.element(screen.getByRole('heading', { name: 'Connect Wallet' })).toBeVisible()
  expect(latchkey.wallet.getState().namespaces.eip155).toEqual({ status: 'disconnected' })
})

test('a wallet that is gone, and one that is silent, are told apart in words', async () => {
  const missing = await opened(fakeWorld().latchkey, entry)
  await expect.element(missing.getByRole('alert').last()).toHaveTextContent('This wallet is gone')
  await expect.element(missing.getByRole('button', { name: 'Choose another wallet' })).toBeVisible()
  await missing.unmount()
  const rejectWith = new LatchkeyError('wallet/unavailable', { wallet: 'Fake Wallet' })
  const silent = await opened(fakeWorld({ connectors: [fakeConnector({ rejectWith })] }).latchkey, entry)
  await expect.element(silent.getByRole('alert').last()).toHaveTextContent('Fake Wallet does not answer')
})

test('an error of an unknown kind still says what to do, and nothing of its own text', async () => {
  const rejectWith = new Error('0xdeadbeef at wallet.js:1')
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ rejectWith })] })
  const screen = await opened(latchkey, entry)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Try again, or choose another wallet.')
  expect(screen.getByText(/deadbeef/).query()).toBeNull()
})

test('a wallet that still shows an earlier request is to be answered there first', async () => {
  const rejectWith = new LatchkeyError('request/failed', { method: 'ask', code: -32002, reason: 'it waits' })
  const screen = await opened(fakeWorld({ connectors: [fakeConnector({ rejectWith })] }).latchkey, entry)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Fake Wallet is asking already')
  await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})
