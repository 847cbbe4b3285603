import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { modalOf } from '../modal.ts'
import { describe, expect, test } from 'vitest'
import type { ViewName } from './views.ts'
import { connect, request, signMessage, type Connector } from '@latchkey/core'
import { getRejection, fakeAdapter, fakeConnector, flushTasks, type FakeWorld } from '@latchkey/core/fakes'
import { internalsOf } from '@latchkey/core/internal'
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
  requestedNamespace,
  resetView,
} from './openModal.ts'

function viewsOf({ latchkey }: FakeWorld): ViewName[] {
  const state = modalOf(latchkey).state.getState()
  return state.open ? state.history.map(({ view }) => view) : []
}

/** A wallet whose prompts stay open. */
function createNeverSigningConnector(connector: Connector): Connector {
  return {
    ...connector,
    async connect(request) {
      const [connection] = await connector.connect(request)
      return [{ ...connection, provider: { request: () => new Promise<never>(() => {}) } }]
    },
  }
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

  test('for a namespace shows the wallets of that namespace [R2.1.5]', () => {
    const world = fakeModalWorld({ adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })] })
    openModal(world.latchkey, { namespace: 'solana' })
    const state = modalOf(world.latchkey).state.getState()
    expect(state).toMatchObject({ history: [{ view: 'Connect', params: { namespace: 'solana' } }] })
    pushView(world.latchkey, { view: 'AllWallets', params: {} })
    expect(requestedNamespace(world.latchkey)).toBe('solana')
    openModal(world.latchkey)
    expect(requestedNamespace(world.latchkey)).toBeUndefined()
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
  test('ends the wait for an approval with an unknown outcome, because the wallet may still approve [R2.2.7]', async () => {
    const wallet = fakeConnector()
    const { latchkey } = fakeModalWorld({ connectors: [createNeverSigningConnector(wallet)] })
    await connect(latchkey, 'fake')
    openModal(latchkey)
    const failures = [
      getRejection(signMessage(latchkey, 'Hello')),
      getRejection(request(latchkey, { method: 'personal_sign' })),
    ]
    const read = request(latchkey, { method: 'eth_getBalance' })
    await expect.poll(() => internalsOf(latchkey).tasks.approvals.size).toBe(2)
    closeModal(latchkey)
    expect(await Promise.all(failures)).toMatchObject([
      { code: 'request/unknown', context: { method: 'signMessage' } },
      { code: 'request/unknown', context: { method: 'personal_sign' } },
    ])
    expect(internalsOf(latchkey).tasks.approvals.size).toBe(0)
    expect(await Promise.race([read, 'pending'])).toBe('pending')
  })

  test('by a flow of the modal keeps the pending requests of the app [R2.2.7]', async () => {
    const { latchkey } = fakeModalWorld({ connectors: [createNeverSigningConnector(fakeConnector())] })
    await connect(latchkey, 'fake')
    openModal(latchkey)
    const signing = signMessage(latchkey, 'Hello')
    await expect.poll(() => internalsOf(latchkey).tasks.approvals.size).toBe(1)
    dismissModal(latchkey)
    expect(await Promise.race([signing, 'pending'])).toBe('pending')
  })

  test('keeps a request that the wallet has flushTasks [R2.2.7]', async () => {
    const { latchkey } = fakeModalWorld({ connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    openModal(latchkey)
    expect(await signMessage(latchkey, 'Hello')).toMatch(/./)
    await flushTasks()
    expect(internalsOf(latchkey).tasks.approvals.size).toBe(0)
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
