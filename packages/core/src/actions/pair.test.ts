import { LatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { getAccount } from '../state/wallet.ts'
import { fakeConnector, fakeWorld, settled, type FakeConnector, type FakeWorld } from '../testing/fakes.ts'
import { abandonPairing } from './abandonPairing.ts'
import { connect } from './connect.ts'
import { closeModal, openModal } from './navigation.ts'
import { pair } from './pair.ts'

const rainbow: WalletListEntry = { id: 'r', name: 'Rainbow', image_id: 'i', chains: [] }

function pairing(options: Parameters<typeof fakeConnector>[0] = {}): FakeWorld & { phone: FakeConnector } {
  const phone = fakeConnector({
    id: 'walletConnect',
    name: 'WalletConnect',
    type: 'walletConnect',
    uris: ['wc:1', 'wc:2'],
    neverAnswers: true,
    ...options,
  })
  return { ...fakeWorld({ connectors: [phone, fakeConnector()] }), phone }
}

test('shows a link, and a new one each time it is renewed [R4.4.8]', () => {
  const { latchkey, phone } = pairing()
  pair(latchkey)
  expect(latchkey.pairing.getState()).toEqual({ status: 'ready', wallet: undefined, uri: 'wc:1' })
  phone.renew()
  expect(latchkey.pairing.getState()).toMatchObject({ status: 'ready', uri: 'wc:2' })
})

test('waits while there is no link yet', () => {
  const { latchkey } = pairing({ uris: [] })
  pair(latchkey, rainbow)
  expect(latchkey.pairing.getState()).toEqual({ status: 'waiting', wallet: rainbow })
})

test('keeps the link when a wallet is chosen, and remembers that wallet as recently used [R9.2.1]', async () => {
  const { latchkey, phone } = pairing()
  openModal(latchkey)
  pair(latchkey)
  pair(latchkey, rainbow)
  expect(phone.asked).toHaveLength(1)
  expect(latchkey.pairing.getState()).toEqual({ status: 'ready', wallet: rainbow, uri: 'wc:1' })
  phone.approve()
  await settled()
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'walletConnect' })
  expect(latchkey.memory.recentWallets()).toEqual([{ id: 'r', name: 'Rainbow' }])
  expect(latchkey.pairing.getState()).toEqual({ status: 'idle' })
  expect(latchkey.modal.getState()).toEqual({ open: false })
})

test('remembers the connector where no wallet was chosen', async () => {
  const { latchkey, phone } = pairing()
  pair(latchkey)
  phone.approve()
  await settled()
  expect(latchkey.memory.recentWallets()).toEqual([{ id: 'walletConnect', name: 'WalletConnect' }])
})

describe('failing', () => {
  test('says what is wrong, and begins anew when it is asked to', async () => {
    const { latchkey, phone } = pairing()
    pair(latchkey, rainbow)
    const error = new LatchkeyError(
      'relay/unreachable',
      { origin: 'wss://relay.test' },
      { sentence: 'The relay at wss://relay.test cannot be reached.' },
    )
    phone.reject(error)
    await settled()
    expect(latchkey.pairing.getState()).toEqual({ status: 'failed', wallet: rainbow, error })
    expect(getAccount(latchkey).status).toBe('disconnected')
    pair(latchkey, rainbow)
    expect(latchkey.pairing.getState()).toMatchObject({ status: 'ready', wallet: rainbow })
    expect(phone.asked).toHaveLength(2)
  })

  test('tells of an error without a code as a wallet that does not answer, and keeps the cause', async () => {
    const { latchkey, phone } = pairing()
    pair(latchkey)
    const cause = new TypeError('something else')
    phone.reject(cause)
    await settled()
    expect(latchkey.pairing.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'wallet/unavailable', cause },
    })
  })

  test('says so where no phone wallet can be reached', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    pair(latchkey)
    await settled()
    expect(latchkey.pairing.getState()).toMatchObject({ status: 'failed', error: { code: 'connector/not-found' } })
  })
})

describe('giving up', () => {
  test('voids the link when the modal closes: who approves it later connects nobody [R4.1]', async () => {
    const { latchkey, phone } = pairing({ ignoresAbort: true })
    openModal(latchkey)
    pair(latchkey)
    closeModal(latchkey)
    expect(latchkey.pairing.getState()).toEqual({ status: 'idle' })
    phone.renew()
    phone.approve()
    await settled()
    expect(latchkey.pairing.getState()).toEqual({ status: 'idle' })
    expect(getAccount(latchkey).status).toBe('disconnected')
    expect(latchkey.modal.getState()).toEqual({ open: false })
  })

  test('leaves a wait that was begun after it alone', async () => {
    const { latchkey, phone } = pairing()
    pair(latchkey)
    abandonPairing(latchkey)
    pair(latchkey, rainbow)
    await settled()
    expect(latchkey.pairing.getState()).toMatchObject({ status: 'ready', wallet: rainbow })
    phone.approve()
    await settled()
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('ends the wait when another wallet is asked instead', async () => {
    const { latchkey } = pairing()
    pair(latchkey)
    await connect(latchkey, 'fake')
    await settled()
    expect(latchkey.pairing.getState()).toEqual({ status: 'idle' })
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake' })
  })

  test('leaves the wallet that is connected as it is', async () => {
    const { latchkey } = pairing()
    await connect(latchkey, 'fake')
    pair(latchkey)
    expect(getAccount(latchkey).status).toBe('connecting')
    abandonPairing(latchkey)
    await settled()
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake' })
  })
})
