import { describe, expect, test } from 'vitest'
import type { ViewName } from '../modal/views.ts'
import { failureOf, fakeAdapter, fakeConnector, fakeWorld, type FakeWorld } from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { finishConnecting } from './finishConnecting.ts'
import {
  closeModal,
  dismissModal,
  embedModal,
  goBack,
  holdRequest,
  modalReady,
  openModal,
  pushView,
  replaceView,
  resetView,
} from './navigation.ts'

function viewsOf({ latchkey }: FakeWorld): ViewName[] {
  const state = latchkey.modal.getState()
  return state.open ? state.history.map(({ view }) => view) : []
}

describe('opening', () => {
  test('begins with the view that was asked for, and tells the app [R2.1.1] [R2.1.5] [R4.1]', () => {
    const world = fakeWorld()
    openModal(world.latchkey, { entry: { view: 'Networks', params: {} } })
    expect(viewsOf(world)).toEqual(['Networks'])
    expect(world.latchkey.modal.getState()).toMatchObject({ open: true, loading: true })
    expect(world.events).toEqual([{ type: 'modal-open', view: 'Networks' }])
    modalReady(world.latchkey)
    expect(world.latchkey.modal.getState()).toMatchObject({ loading: false })
  })

  test('without adapters goes by the device [R2.1.2]', () => {
    for (const [mobile, view] of [
      [true, 'AllWallets'],
      [false, 'ConnectingWalletConnectBasic'],
    ] as const) {
      const world = fakeWorld({ adapters: [], isMobile: () => mobile })
      openModal(world.latchkey)
      expect(viewsOf(world)).toEqual([view])
    }
  })

  test('is Account with an account and Connect without [R2.1.3] [R2.1.4]', async () => {
    const world = fakeWorld({ connectors: [fakeConnector()] })
    openModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Connect'])
    await connect(world.latchkey, 'fake')
    openModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Account'])
  })

  test('goes to the given namespace first [R2.1.5]', async () => {
    const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
    const world = fakeWorld({ adapters, connectors: [fakeConnector()] })
    await connect(world.latchkey, 'fake')
    openModal(world.latchkey, { namespace: 'solana' })
    expect(world.latchkey.wallet.getState().active).toBe('solana')
    expect(viewsOf(world)).toEqual(['Connect'])
  })
})

test('moves through views [R2.2.1] [R2.2.2]', () => {
  const world = fakeWorld()
  const { latchkey } = world
  openModal(latchkey)
  pushView(latchkey, { view: 'AllWallets', params: {} })
  pushView(latchkey, { view: 'AllWallets', params: {} })
  replaceView(latchkey, { view: 'ConnectingWalletConnect', params: {} })
  expect(viewsOf(world)).toEqual(['Connect', 'ConnectingWalletConnect'])
  goBack(latchkey)
  expect(viewsOf(world)).toEqual(['Connect'])
  goBack(latchkey)
  expect(latchkey.modal.getState()).toEqual({ open: false })
  goBack(latchkey)
  resetView(latchkey, { view: 'Account', params: {} })
  expect(latchkey.modal.getState()).toEqual({ open: false })
  expect(world.events.map(({ type }) => type)).toEqual(['modal-open', 'modal-close'])
})

describe('a Farcaster login that is left', () => {
  const farcaster = { view: 'ConnectingFarcaster', params: {} } as const

  test('loses its link, and its connector starts afresh after 100 ms [R2.2.3] [R9.1.7]', () => {
    const connector = fakeConnector({ type: 'embedded' })
    const { latchkey, clock } = fakeWorld({ connectors: [connector] })
    openModal(latchkey)
    pushView(latchkey, farcaster)
    latchkey.farcasterUrl.setState({ url: 'https://farcaster.invalid' }, true)
    goBack(latchkey)
    expect(latchkey.farcasterUrl.getState()).toEqual({ url: undefined })
    clock.advance(99)
    expect(connector.calls.reload).toBe(0)
    clock.advance(1)
    expect(connector.calls.reload).toBe(1)
  })

  test('keeps it when it has led to an account [R2.2.3]', async () => {
    const connector = fakeConnector({ type: 'embedded' })
    const { latchkey, clock } = fakeWorld({ connectors: [connector] })
    openModal(latchkey)
    pushView(latchkey, farcaster)
    latchkey.farcasterUrl.setState({ url: 'https://farcaster.invalid' }, true)
    await connect(latchkey, 'fake')
    goBack(latchkey)
    clock.advance(100)
    expect(latchkey.farcasterUrl.getState().url).toBeDefined()
    expect(connector.calls.reload).toBe(0)
  })
})

describe('closing', () => {
  test('rejects the requests that need approval, and no others [R2.2.7]', async () => {
    const { latchkey } = fakeWorld()
    openModal(latchkey)
    const hold = (method: string): Promise<unknown> =>
      failureOf(new Promise((_, reject) => void holdRequest(latchkey, method, reject)))
    const failures = [hold('personal_sign'), hold('eth_sendTransaction')]
    const rejected: string[] = []
    holdRequest(latchkey, 'eth_getBalance', () => rejected.push('eth_getBalance'))
    holdRequest(latchkey, 'eth_madeUp', () => rejected.push('eth_madeUp'))
    const answered = holdRequest(latchkey, 'wallet_sendCalls', () => rejected.push('wallet_sendCalls'))
    answered()
    closeModal(latchkey)
    expect(await Promise.all(failures)).toMatchObject([
      { code: 'request/closed', context: { method: 'personal_sign' } },
      { code: 'request/closed', context: { method: 'eth_sendTransaction' } },
    ])
    expect(rejected).toEqual([])
    expect(latchkey.running.held.size).toBe(2)
  })

  test('clears the loading flag and the pairing link, and tells the app once [R4.1]', () => {
    const { latchkey, events } = fakeWorld()
    openModal(latchkey)
    latchkey.pairing.setState({ status: 'ready', wallet: undefined, uri: 'wc:1' }, true)
    closeModal(latchkey)
    closeModal(latchkey)
    expect(latchkey.modal.getState()).toEqual({ open: false })
    expect(latchkey.pairing.getState()).toEqual({ status: 'idle' })
    expect(events.filter(({ type }) => type === 'modal-close')).toHaveLength(1)
  })
})

describe('drawn in the page', () => {
  test('is open as long as it is drawn, and closing goes to Account or Connect [R2.2.4]', async () => {
    const world = fakeWorld({ connectors: [fakeConnector()] })
    const remove = embedModal(world.latchkey)
    pushView(world.latchkey, { view: 'AllWallets', params: {} })
    closeModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Connect'])
    await connect(world.latchkey, 'fake')
    dismissModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Account'])
    remove()
    remove()
    expect(world.latchkey.modal.getState()).toEqual({ open: false })
    expect(world.latchkey.embeds.getState()).toBe(0)
  })

  test('in two places closes with the last of them', () => {
    const world = fakeWorld()
    const [one, other] = [embedModal(world.latchkey), embedModal(world.latchkey)]
    one()
    expect(viewsOf(world)).toEqual(['Connect'])
    other()
    expect(viewsOf(world)).toEqual([])
  })
})

test('connecting leaves the modal open on a network that has to be left [R4.2.2]', async () => {
  const world = fakeWorld({ connectors: [fakeConnector()] })
  openModal(world.latchkey)
  await connect(world.latchkey, 'fake')
  openModal(world.latchkey, { entry: { view: 'UnsupportedChain', params: {} } })
  finishConnecting(world.latchkey)
  expect(viewsOf(world)).toEqual(['UnsupportedChain'])
})

test('there is nothing to finish without an account', () => {
  const world = fakeWorld()
  openModal(world.latchkey)
  finishConnecting(world.latchkey)
  expect(viewsOf(world)).toEqual(['Connect'])
})
