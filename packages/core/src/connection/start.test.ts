import { createErrors, walletError } from '@latchkey/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Connector, EndReason } from '../contracts/connector.ts'
import { getAccount, connectionStateOf } from '../state/getAccount.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  flushTasks,
  type FakeConnectorOptions,
  type FakeStorage,
  type FakeWorld,
} from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { start } from './start.ts'

const account = fakeAccount('eip155:1')

/** Returns the storage of a page with connected wallets. */
function createStorageWithConnections(connectorId = 'fake', namespaces: readonly string[] = ['eip155']): FakeStorage {
  const connections = namespaces.map((name) => [
    name,
    { connectorId, account: fakeAccount(`${name}:1`), chainId: `${name}:1` },
  ])
  return fakeStorage({
    values: {
      '@latchkey/connections': JSON.stringify(Object.fromEntries(connections)),
      '@latchkey/active_network': JSON.stringify('eip155:1'),
    },
  })
}

function createTwoAdapters(): [ReturnType<typeof fakeAdapter>, ReturnType<typeof fakeAdapter>] {
  return [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
}

function sessionOver(): Error {
  return createErrors({ 'session/ended': () => 'over' })('session/ended', { wallet: 'Fake' })
}

// This code is loaded on demand, which an injected clock cannot advance.
beforeAll(() => import('./lazyActions.ts'))

test('an instance reads, requests and discovers nothing before start', () => {
  const storage = createStorageWithConnections()
  const connector = fakeConnector({ restores: true })
  storage.getItem = () => expect.fail('the storage was read')
  const { latchkey, adapter, clock } = fakeWorld({ storage, connectors: [connector] })
  expect(getAccount(latchkey).status).toBe('disconnected')
  expect([adapter.looking(), clock.waiting(), connector.calls.restore]).toEqual([0, 0, 0])
})

describe('a remembered connection', () => {
  test('is reconnecting at once, and connected when its wallet restores it [R4.3]', async () => {
    const { latchkey, events } = fakeWorld({
      storage: createStorageWithConnections(),
      connectors: [fakeConnector({ restores: true })],
    })
    start(latchkey)
    expect(getAccount(latchkey)).toMatchObject({ status: 'reconnecting', connectorId: 'fake', account })
    await flushTasks()
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake', account })
    expect(events).toEqual([{ type: 'connect', connectorId: 'fake', account, restored: true }])
  })

  test('is not awaited when other code of the page has removed it since', async () => {
    const storage = createStorageWithConnections()
    const { latchkey } = fakeWorld({ storage, connectors: [fakeConnector({ restores: true })] })
    start(latchkey)
    storage.values.clear()
    await flushTasks()
    expect(getAccount(latchkey).status).toBe('disconnected')
  })

  test('is restored by an extension that announces itself late [R4.3]', async () => {
    const { latchkey, adapter, clock } = fakeWorld({ storage: createStorageWithConnections() })
    start(latchkey)
    clock.advance(1_900)
    expect(getAccount(latchkey).status).toBe('reconnecting')
    adapter.announce(fakeConnector({ restores: true }))
    await flushTasks()
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('counts as absent after two seconds, and is still restored later', async () => {
    const { latchkey, adapter, clock } = fakeWorld({ storage: createStorageWithConnections() })
    start(latchkey)
    clock.advance(2_000)
    await flushTasks()
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: 'uninstalled' })
    expect(latchkey.internal.memory.connections().eip155).toBeDefined()
    adapter.announce(fakeConnector({ restores: true }))
    await flushTasks()
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('is removed when its wallet no longer knows the app [R4.7]', async () => {
    const { latchkey, events } = fakeWorld({
      storage: createStorageWithConnections(),
      connectors: [fakeConnector({ restores: false })],
    })
    start(latchkey)
    await flushTasks()
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: 'wallet' })
    expect(latchkey.internal.memory.connections()).toEqual({})
    expect(events).toEqual([])
  })

  test('times out after ten seconds when its wallet is locked, and stays stored for the next load', async () => {
    const connectors = [fakeConnector({ restores: 'never responds' })]
    const { latchkey, clock } = fakeWorld({ storage: createStorageWithConnections(), connectors })
    start(latchkey)
    await flushTasks()
    clock.advance(9_999)
    await flushTasks()
    expect(getAccount(latchkey).status).toBe('reconnecting')
    clock.advance(1)
    await flushTasks()
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: 'slow' })
    expect(latchkey.internal.memory.connections().eip155).toBeDefined()
  })

  test('stays stored for the next load when its wallet fails', async () => {
    const connectors = [fakeConnector({ restores: new Error('locked') })]
    const { latchkey, events } = fakeWorld({ storage: createStorageWithConnections(), connectors })
    start(latchkey)
    await flushTasks()
    expect(getAccount(latchkey).status).toBe('disconnected')
    expect(latchkey.internal.memory.connections().eip155).toBeDefined()
    expect(events).toEqual([])
  })

  test('is restored in the namespaces that its wallet still grants only', async () => {
    const connector = fakeConnector({ namespaces: ['eip155', 'solana'], accounts: [account], restores: true })
    const { latchkey } = fakeWorld({
      adapters: createTwoAdapters(),
      storage: createStorageWithConnections('fake', ['eip155', 'solana']),
      connectors: [connector],
    })
    start(latchkey)
    await flushTasks()
    expect(connector.calls.restore).toBe(1)
    expect(connectionStateOf(latchkey, 'eip155').status).toBe('connected')
    expect(connectionStateOf(latchkey, 'solana').status).toBe('disconnected')
    expect(Object.keys(latchkey.internal.memory.connections())).toEqual(['eip155'])
  })

  test('is dropped when the user connects another wallet in the meantime', async () => {
    const slow = fakeConnector({ restores: true })
    let respond = (): void => {}
    const restoring: Connector = {
      ...slow,
      async restore(request) {
        await new Promise<void>((resolve) => (respond = resolve))
        return slow.restore(request)
      },
    }
    const { latchkey } = fakeWorld({
      storage: createStorageWithConnections(),
      connectors: [restoring, fakeConnector({ id: 'other' })],
    })
    start(latchkey)
    await connect(latchkey, 'other')
    respond()
    await flushTasks()
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'other' })
    expect(latchkey.internal.memory.connections().eip155?.connectorId).toBe('other')
  })

  test('restores the active namespace and network', async () => {
    const storage = createStorageWithConnections()
    storage.setItem('@latchkey/active_network', JSON.stringify('solana:2'))
    const { latchkey } = fakeWorld({
      adapters: createTwoAdapters(),
      storage,
      connectors: [fakeConnector({ restores: true })],
    })
    start(latchkey)
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', network: { caipNetworkId: 'solana:2' } })
    await flushTasks()
    expect(connectionStateOf(latchkey, 'eip155').status).toBe('connected')
    expect(latchkey.wallet.getState().active).toBe('solana')
  })

  test('that is invalid is ignored', async () => {
    const garbage = { connectorId: 'fake', account, chainId: 'eip155:1', type: 'granted' }
    for (const value of [
      '{',
      '7',
      '[]',
      '{"eip155":7}',
      '{"__proto__":{"eip155":{}}}',
      JSON.stringify({ eip155: garbage }),
    ]) {
      const { latchkey } = fakeWorld({
        storage: fakeStorage({ values: { '@latchkey/connections': value, '@latchkey/active_network': value } }),
      })
      start(latchkey)
      expect(['disconnected', 'reconnecting']).toContain(getAccount(latchkey).status)
    }
  })
})

describe('the reason of an ended connection', () => {
  const ended = async (options: FakeConnectorOptions): Promise<unknown> => {
    const { latchkey, clock } = fakeWorld({
      storage: createStorageWithConnections(),
      connectors: [fakeConnector(options)],
    })
    start(latchkey)
    await flushTasks()
    clock.advance(10_000)
    await flushTasks()
    const isRemembered = latchkey.internal.memory.remembered('eip155').length > 0
    return { ...connectionStateOf(latchkey, 'eip155'), isRemembered }
  }

  test.each<[string, FakeConnectorOptions, { reason: EndReason; isRemembered: boolean }]>([
    [
      'is locked',
      { restores: walletError('wallet/locked', { wallet: 'Fake' }) },
      { reason: 'locked', isRemembered: true },
    ],
    ['never responds', { restores: 'never responds' }, { reason: 'slow', isRemembered: true }],
    ['fails', { restores: new Error('no') }, { reason: 'wallet', isRemembered: true }],
    ['is gone', { id: 'other' }, { reason: 'uninstalled', isRemembered: true }],
    ['forgot us', { restores: false }, { reason: 'wallet', isRemembered: false }],
    ['has a session that is over', { restores: sessionOver() }, { reason: 'expired', isRemembered: true }],
  ])('is set when its wallet %s at the start', async (_, options, expected) => {
    expect(await ended(options)).toEqual({ status: 'disconnected', ...expected })
  })

  test.each<EndReason | undefined>(['locked', 'account-removed', 'expired', undefined])(
    'is set when its wallet ends it as %s',
    async (reason) => {
      const connector = fakeConnector()
      const { latchkey } = fakeWorld({ connectors: [connector] })
      await connect(latchkey, 'fake')
      connector.leave(undefined, reason)
      expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: reason ?? 'wallet' })
      expect(latchkey.internal.memory.remembered('eip155')).toHaveLength(reason === 'locked' ? 1 : 0)
    },
  )

  test('is unset by the next attempt, and initially', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeWorld({ connectors: [connector] })
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
    await connect(latchkey, 'fake')
    await disconnect(latchkey)
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: 'user' })
    const attempt = new AbortController()
    attempt.abort()
    await getRejection(connect(latchkey, 'fake', { signal: attempt.signal }))
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: undefined })
  })
})

describe('wallets found in the page', () => {
  test('replace their earlier entry when they announce themselves again', () => {
    const { latchkey, adapter } = fakeWorld({ connectors: [fakeConnector({ id: 'first', type: 'walletConnect' })] })
    start(latchkey)
    const [older, newer] = [fakeConnector({ id: 'io.wallet' }), fakeConnector({ id: 'io.wallet' })]
    adapter.announce(older)
    adapter.announce(fakeConnector({ id: 'io.other' }))
    adapter.announce(newer)
    expect(latchkey.connectors.getState().map(({ id }) => id)).toEqual(['first', 'io.wallet', 'io.other'])
    expect(latchkey.connectors.getState()[1]).toBe(newer)
  })

  test('never replace a configured connector, whatever their id', () => {
    const configured = fakeConnector({ id: 'walletConnect', type: 'walletConnect' })
    const { latchkey, adapter } = fakeWorld({ connectors: [configured] })
    start(latchkey)
    adapter.announce(fakeConnector({ id: 'walletConnect', type: 'injected' }))
    expect(latchkey.connectors.getState()).toEqual([configured])
  })

  test('are ignored after stop', () => {
    const { latchkey, adapter, clock } = fakeWorld()
    const stop = start(latchkey)
    stop()
    stop()
    adapter.announce(fakeConnector())
    expect(latchkey.connectors.getState()).toEqual([])
    expect([adapter.looking(), clock.waiting()]).toEqual([0, 0])
  })
})

describe('starting more than once', () => {
  test('shares one run, which ends with the last stop', () => {
    const { latchkey, adapter } = fakeWorld()
    const [first, second] = [start(latchkey), start(latchkey)]
    expect(adapter.looking()).toBe(1)
    first()
    first()
    expect(adapter.looking()).toBe(1)
    second()
    expect(adapter.looking()).toBe(0)
  })

  test('start, stop and start, as in React strict mode, restores once and keeps the connection', async () => {
    const connector = fakeConnector({ restores: true })
    const { latchkey, adapter, events } = fakeWorld({
      storage: createStorageWithConnections(),
      connectors: [connector],
    })
    start(latchkey)()
    const stop = start(latchkey)
    await flushTasks()
    expect(connector.calls.restore).toBe(1)
    expect(adapter.looking()).toBe(1)
    expect(events).toHaveLength(1)
    stop()
    expect(getAccount(latchkey).status).toBe('connected')
  })
})

describe('two tabs', () => {
  /** Another page of the same user. */
  function secondTab({ storage }: FakeWorld, options: Parameters<typeof fakeConnector>[0]): FakeWorld {
    return fakeWorld({ storage: storage.otherTab(), connectors: [fakeConnector(options)] })
  }

  test('a disconnect in one disconnects the other, without a second wallet request', async () => {
    const here = fakeWorld({ connectors: [fakeConnector()] })
    start(here.latchkey)
    await connect(here.latchkey, 'fake')
    const there = secondTab(here, { restores: true })
    start(there.latchkey)
    await flushTasks()
    expect(getAccount(there.latchkey).status).toBe('connected')
    await disconnect(here.latchkey)
    await flushTasks()
    expect(getAccount(there.latchkey).status).toBe('disconnected')
    expect(there.events.at(-1)).toEqual({ type: 'disconnect', namespace: 'eip155', by: 'other-tab' })
    const [connector] = there.latchkey.connectors.getState()
    expect(connector).toMatchObject({ calls: { disconnect: 0 } })
  })

  test('a connection in one connects the other', async () => {
    const here = fakeWorld({ connectors: [fakeConnector()] })
    const there = secondTab(here, { restores: true })
    start(here.latchkey)
    start(there.latchkey)
    await connect(here.latchkey, 'fake')
    await flushTasks()
    expect(getAccount(there.latchkey)).toMatchObject({ status: 'connected', account })
  })

  test('a disconnect in one ends the restore in the other', async () => {
    const here = fakeWorld({ storage: createStorageWithConnections(), connectors: [fakeConnector({ restores: true })] })
    const there = secondTab(here, { restores: 'never responds' })
    start(here.latchkey)
    start(there.latchkey)
    await flushTasks()
    await disconnect(here.latchkey)
    await flushTasks()
    expect(getAccount(there.latchkey).status).toBe('disconnected')
    there.clock.advance(10_000)
    await flushTasks()
    expect(getAccount(there.latchkey).status).toBe('disconnected')
    expect(there.latchkey.internal.memory.connections()).toEqual({})
  })

  test('another wallet connected in one replaces the first in the other', async () => {
    const here = fakeWorld({ connectors: [fakeConnector(), fakeConnector({ id: 'other' })] })
    const there = fakeWorld({
      storage: here.storage.otherTab(),
      connectors: [fakeConnector({ restores: true }), fakeConnector({ id: 'other', restores: true })],
    })
    start(here.latchkey)
    start(there.latchkey)
    await connect(here.latchkey, 'fake')
    await flushTasks()
    await connect(here.latchkey, 'other')
    await flushTasks()
    expect(getAccount(there.latchkey)).toMatchObject({ status: 'connected', connectorId: 'other' })
    expect(getAccount(here.latchkey)).toMatchObject({ status: 'connected', connectorId: 'other' })
  })

  test('a pending attempt is not affected by the other tab', async () => {
    const here = fakeWorld({ connectors: [fakeConnector({ neverResponds: true })] })
    start(here.latchkey)
    const attempt = new AbortController()
    const failure = getRejection(connect(here.latchkey, 'fake', { signal: attempt.signal }))
    here.storage.otherTab().setItem('@latchkey/connections', '{}')
    expect(getAccount(here.latchkey).status).toBe('connecting')
    attempt.abort()
    await failure
  })
})
