import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { modalOf } from '../modal.ts'
import { describe, expect, test } from 'vitest'
import type { ViewName } from './views.ts'
import { connect } from '@latchkey/core'
import { failureOf, fakeAdapter, fakeConnector, type FakeWorld } from '@latchkey/core/fakes'
import { finishConnecting } from '../flows/finishConnecting.ts'
import {
  closeModal,
  dismissModal,
  embedModal,
  goBack,
  modalReady,
  openModal,
  pushView,
  replaceView,
  resetView,
} from './openModal.ts'
import { holdRequest } from './holdRequest.ts'

function viewsOf({ latchkey }: FakeWorld): ViewName[] {
  const state = modalOf(latchkey).state.getState()
  return state.open ? state.history.map(({ view }) => view) : []
}

describe('opening', () => {
  test('starts with the requested view, and emits an event [R2.1.1] [R2.1.5] [R4.1]', () => {
    const world = fakeModalWorld()
    openModal(world.latchkey, { entry: { view: 'Networks', params: {} } })
    expect(viewsOf(world)).toEqual(['Networks'])
    expect(modalOf(world.latchkey).state.getState()).toMatchObject({ open: true, loading: true })
    expect(world.events).toEqual([{ type: 'modal-open', view: 'Networks' }])
    modalReady(world.latchkey)
    expect(modalOf(world.latchkey).state.getState()).toMatchObject({ loading: false })
  })

  test('without adapters depends on the device [R2.1.2]', () => {
    for (const [mobile, view] of [
      [true, 'AllWallets'],
      [false, 'ConnectingWalletConnectBasic'],
    ] as const) {
      const world = fakeModalWorld({ adapters: [], isMobile: () => mobile })
      openModal(world.latchkey)
      expect(viewsOf(world)).toEqual([view])
    }
  })

  test('is Account with an account and Connect without [R2.1.3] [R2.1.4]', async () => {
    const world = fakeModalWorld({ connectors: [fakeConnector()] })
    openModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Connect'])
    await connect(world.latchkey, 'fake')
    openModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Account'])
  })

  test('goes to the given namespace first [R2.1.5]', async () => {
    const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
    const world = fakeModalWorld({ adapters, connectors: [fakeConnector()] })
    await connect(world.latchkey, 'fake')
    openModal(world.latchkey, { namespace: 'solana' })
    expect(world.latchkey.wallet.getState().active).toBe('solana')
    expect(viewsOf(world)).toEqual(['Connect'])
  })
})

test('moves through views [R2.2.1] [R2.2.2]', () => {
  const world = fakeModalWorld()
  const { latchkey } = world
  openModal(latchkey)
  pushView(latchkey, { view: 'AllWallets', params: {} })
  pushView(latchkey, { view: 'AllWallets', params: {} })
  replaceView(latchkey, { view: 'ConnectingWalletConnect', params: {} })
  expect(viewsOf(world)).toEqual(['Connect', 'ConnectingWalletConnect'])
  goBack(latchkey)
  expect(viewsOf(world)).toEqual(['Connect'])
  goBack(latchkey)
  expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
  goBack(latchkey)
  resetView(latchkey, { view: 'Account', params: {} })
  expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
  expect(world.events.map(({ type }) => type)).toEqual(['modal-open', 'modal-close'])
})

describe('an abandoned Farcaster login', () => {
  const farcaster = { view: 'ConnectingFarcaster', params: {} } as const

  test('clears its link, and reloads its connector after 100 ms [R2.2.3] [R9.1.7]', () => {
    const connector = fakeConnector({ type: 'embedded' })
    const { latchkey, clock } = fakeModalWorld({ connectors: [connector] })
    openModal(latchkey)
    pushView(latchkey, farcaster)
    modalOf(latchkey).farcasterUrl.setState({ url: 'https://farcaster.invalid' }, true)
    goBack(latchkey)
    expect(modalOf(latchkey).farcasterUrl.getState()).toEqual({ url: undefined })
    clock.advance(99)
    expect(connector.calls.reload).toBe(0)
    clock.advance(1)
    expect(connector.calls.reload).toBe(1)
  })

  test('keeps its link after it led to an account [R2.2.3]', async () => {
    const connector = fakeConnector({ type: 'embedded' })
    const { latchkey, clock } = fakeModalWorld({ connectors: [connector] })
    openModal(latchkey)
    pushView(latchkey, farcaster)
    modalOf(latchkey).farcasterUrl.setState({ url: 'https://farcaster.invalid' }, true)
    await connect(latchkey, 'fake')
    goBack(latchkey)
    clock.advance(100)
    expect(modalOf(latchkey).farcasterUrl.getState().url).toBeDefined()
    expect(connector.calls.reload).toBe(0)
  })
})

describe('closing', () => {
  test('rejects pending requests that need approval, and no others [R2.2.7]', async () => {
    const { latchkey } = fakeModalWorld()
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
    expect(modalOf(latchkey).tasks.held.size).toBe(0)
  })

  test('clears the loading flag and the pairing link, and emits one event [R4.1]', () => {
    const { latchkey, events } = fakeModalWorld()
    openModal(latchkey)
    modalOf(latchkey).pairing.setState({ status: 'ready', wallet: undefined, uri: 'wc:1' }, true)
    closeModal(latchkey)
    closeModal(latchkey)
    expect(modalOf(latchkey).state.getState()).toEqual({ open: false })
    expect(modalOf(latchkey).pairing.getState()).toEqual({ status: 'idle' })
    expect(events.filter(({ type }) => type === 'modal-close')).toHaveLength(1)
  })
})

describe('embedded in the page', () => {
  test('stays open while embedded, and closing shows Account or Connect [R2.2.4]', async () => {
    const world = fakeModalWorld({ connectors: [fakeConnector()] })
    const remove = embedModal(world.latchkey)
    pushView(world.latchkey, { view: 'AllWallets', params: {} })
    closeModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Connect'])
    await connect(world.latchkey, 'fake')
    dismissModal(world.latchkey)
    expect(viewsOf(world)).toEqual(['Account'])
    remove()
    remove()
    expect(modalOf(world.latchkey).state.getState()).toEqual({ open: false })
    expect(modalOf(world.latchkey).embeds.getState()).toBe(0)
  })

  test('in two places closes with the last one', () => {
    const world = fakeModalWorld()
    const [one, other] = [embedModal(world.latchkey), embedModal(world.latchkey)]
    one()
    expect(viewsOf(world)).toEqual(['Connect'])
    other()
    expect(viewsOf(world)).toEqual([])
  })
})

test('finishConnecting keeps the modal open on a network that must be left [R4.2.2]', async () => {
  const world = fakeModalWorld({ connectors: [fakeConnector()] })
  openModal(world.latchkey)
  await connect(world.latchkey, 'fake')
  openModal(world.latchkey, { entry: { view: 'UnsupportedChain', params: {} } })
  finishConnecting(world.latchkey)
  expect(viewsOf(world)).toEqual(['UnsupportedChain'])
})

test('finishConnecting does nothing without an account', () => {
  const world = fakeModalWorld()
  openModal(world.latchkey)
  finishConnecting(world.latchkey)
  expect(viewsOf(world)).toEqual(['Connect'])
})
