import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { connect, getAccount } from '@latchkey/core'
import { fakeConnector, flushTasks, type FakeConnector, type FakeWorld } from '@latchkey/core/fakes'
import { getRecentWallets, internalsOf } from '@latchkey/core/internal'
import { modalOf } from '../modal.ts'
import { LatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { abandonPairing } from './abandonPairing.ts'
import { closeModal, openModal } from '../navigation/openModal.ts'
import { pair, showPairingUri } from './pair.ts'

const rainbow: WalletListEntry = { id: 'r', name: 'Rainbow', image_id: 'i', chains: [] }

function createPairingWorld(options: Parameters<typeof fakeConnector>[0] = {}): FakeWorld & { phone: FakeConnector } {
  const phone = fakeConnector({
    id: 'walletConnect',
    name: 'WalletConnect',
    type: 'walletConnect',
    uris: ['wc:1', 'wc:2'],
    neverResponds: true,
    ...options,
  })
  return { ...fakeModalWorld({ connectors: [phone, fakeConnector()] }), phone }
}

test('pair shows a link, and each renewed link [R4.4.8]', () => {
  const { latchkey, phone } = createPairingWorld()
  pair(latchkey)
  expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'ready', wallet: undefined, uri: 'wc:1' })
  phone.renew()
  expect(modalOf(latchkey).pairing.getState()).toMatchObject({ status: 'ready', uri: 'wc:2' })
})

test('pair waits until there is a link', () => {
  const { latchkey } = createPairingWorld({ uris: [] })
  pair(latchkey, rainbow)
  expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'waiting', wallet: rainbow })
})

test('pair keeps the link when a wallet is selected, and stores that wallet as recent [R9.2.1]', async () => {
  const { latchkey, phone } = createPairingWorld()
  openModal(latchkey)
  pair(latchkey)
  pair(latchkey, rainbow)
  expect(phone.connectRequests).toHaveLength(1)
  expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'ready', wallet: rainbow, uri: 'wc:1' })
  phone.approve()
  await flushTasks()
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'walletConnect' })
  expect(getRecentWallets(internalsOf(latchkey).memory)).toEqual([{ id: 'r', name: 'Rainbow' }])
  expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'idle' })
  expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
})

test('pair stores the connector as recent when no wallet was selected', async () => {
  const { latchkey, phone } = createPairingWorld()
  pair(latchkey)
  phone.approve()
  await flushTasks()
  expect(getRecentWallets(internalsOf(latchkey).memory)).toEqual([{ id: 'walletConnect', name: 'WalletConnect' }])
})

describe('failing', () => {
  test('shows the error, and starts again on request', async () => {
    const { latchkey, phone } = createPairingWorld()
    pair(latchkey, rainbow)
    const error = new LatchkeyError(
      'relay/unreachable',
      { origin: 'wss://relay.test' },
      { sentence: 'The relay at wss://relay.test cannot be reached.' },
    )
    phone.reject(error)
    await flushTasks()
    expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'failed', wallet: rainbow, error })
    expect(getAccount(latchkey).status).toBe('disconnected')
    pair(latchkey, rainbow)
    expect(modalOf(latchkey).pairing.getState()).toMatchObject({ status: 'ready', wallet: rainbow })
    expect(phone.connectRequests).toHaveLength(2)
  })

  test('reports an error without a code as an unavailable wallet, with its cause', async () => {
    const { latchkey, phone } = createPairingWorld()
    pair(latchkey)
    const cause = new TypeError('something else')
    phone.reject(cause)
    await flushTasks()
    expect(modalOf(latchkey).pairing.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'wallet/unavailable', cause },
    })
  })

  test('rejects when no connector reaches phone wallets', async () => {
    const { latchkey } = fakeModalWorld({ connectors: [fakeConnector()] })
    pair(latchkey)
    await flushTasks()
    expect(modalOf(latchkey).pairing.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'connector/not-found' },
    })
  })
})

describe('giving up', () => {
  test('invalidates the link when the modal closes: a later approval does not connect [R4.1]', async () => {
    const { latchkey, phone } = createPairingWorld({ ignoresAbort: true })
    openModal(latchkey)
    pair(latchkey)
    closeModal(latchkey)
    expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'idle' })
    phone.renew()
    phone.approve()
    await flushTasks()
    expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'idle' })
    expect(getAccount(latchkey).status).toBe('disconnected')
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
  })

  test('does not affect a later wait', async () => {
    const { latchkey, phone } = createPairingWorld()
    pair(latchkey)
    abandonPairing(latchkey)
    pair(latchkey, rainbow)
    await flushTasks()
    expect(modalOf(latchkey).pairing.getState()).toMatchObject({ status: 'ready', wallet: rainbow })
    phone.approve()
    await flushTasks()
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('ends the wait when another wallet is connecting', async () => {
    const { latchkey } = createPairingWorld()
    pair(latchkey)
    await connect(latchkey, 'fake')
    await flushTasks()
    expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'idle' })
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake' })
  })

  test('keeps the connected wallet', async () => {
    const { latchkey } = createPairingWorld()
    await connect(latchkey, 'fake')
    pair(latchkey)
    expect(getAccount(latchkey).status).toBe('connecting')
    abandonPairing(latchkey)
    await flushTasks()
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake' })
  })
})

test('pair without adapters waits for the URI of the app, and does not fail [R2.1.2]', async () => {
  const { latchkey } = fakeModalWorld({ adapters: [], connectors: [fakeConnector({ type: 'walletConnect' })] })
  openModal(latchkey)
  pair(latchkey)
  await flushTasks()
  expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'waiting', wallet: undefined })
  showPairingUri(latchkey, 'wc:7')
  pair(latchkey, rainbow)
  expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'ready', wallet: rainbow, uri: 'wc:7' })
  closeModal(latchkey)
  expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'idle' })
})

test.each([
  ['JWT validation error: JWT Token is not yet valid', ['session-expired']],
  ['Project not found', []],
])('pair that the relay refuses with "%s" raises %j [R8.1.2]', async (reason, codes) => {
  const rejectWith = new LatchkeyError('relay/refused', { reason }, { sentence: reason })
  const { latchkey } = createPairingWorld({ neverResponds: false, rejectWith })
  pair(latchkey)
  await flushTasks()
  expect(modalOf(latchkey).pairing.getState()).toMatchObject({ status: 'failed' })
  expect(
    modalOf(latchkey)
      .alerts.getState()
      .map(({ code }) => code),
  ).toEqual(codes)
})
