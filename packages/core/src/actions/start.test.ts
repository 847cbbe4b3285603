import { createErrors, LatchkeyError } from '@latchkey/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Connector, EndReason } from '../connector.ts'
import { getAccount, stateOf } from '../state/wallet.ts'
import {
  failureOf,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  settled,
  type FakeConnectorOptions,
  type FakeStorage,
  type FakeWorld,
} from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { openModal } from './navigation.ts'
import { start } from './start.ts'

const account = fakeAccount('eip155:1')

/** What a page leaves behind in which a visitor connected. */
function remembering(connectorId = 'fake', namespaces: readonly string[] = ['eip155']): FakeStorage {
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

function twoFamilies(): [ReturnType<typeof fakeAdapter>, ReturnType<typeof fakeAdapter>] {
  return [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
}

function sessionOver(): Error {
  return createErrors({ 'session/ended': () => 'over' })('session/ended', { wallet: 'Fake' })
}

// It is loaded when it is first needed, which takes a moment that no injected clock can bring.
beforeAll(() => import('./rare.ts'))

test('reads, asks and looks for nothing before it is called', () => {
  const storage = remembering()
  const connector = fakeConnector({ restores: true })
  storage.getItem = () => expect.fail('the storage was read')
  const { latchkey, adapter, clock } = fakeWorld({ storage, connectors: [connector] })
  expect(getAccount(latchkey).status).toBe('disconnected')
  expect([adapter.looking(), clock.waiting(), connector.calls.restore]).toEqual([0, 0, 0])
})

describe('a remembered connection', () => {
  test('is on its way back at once, and back when its wallet still knows us [R4.3]', async () => {
    const { latchkey, events } = fakeWorld({
      storage: remembering(),
      connectors: [fakeConnector({ restores: true })],
    })
    start(latchkey)
    expect(getAccount(latchkey)).toMatchObject({ status: 'reconnecting', connectorId: 'fake', account })
    await settled()
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'fake', account })
    expect(events).toEqual([{ type: 'connect', connectorId: 'fake', account, restored: true }])
  })

  test('is not waited for when something else in the page forgot it meanwhile', async () => {
    const storage = remembering()
    const { latchkey } = fakeWorld({ storage, connectors: [fakeConnector({ restores: true })] })
    start(latchkey)
    storage.values.clear()
    await settled()
    expect(getAccount(latchkey).status).toBe('disconnected')
  })

  test('is taken up by an extension that announces itself late [R4.3]', async () => {
    const { latchkey, adapter, clock } = fakeWorld({ storage: remembering() })
    start(latchkey)
    clock.advance(1_900)
    expect(getAccount(latchkey).status).toBe('reconnecting')
    adapter.announce(fakeConnector({ restores: true }))
    await settled()
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('counts as absent after two seconds, and is taken up even after that', async () => {
    const { latchkey, adapter, clock } = fakeWorld({ storage: remembering() })
    start(latchkey)
    clock.advance(2_000)
    await settled()
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: 'uninstalled' })
    expect(latchkey.memory.connections().eip155).toBeDefined()
    adapter.announce(fakeConnector({ restores: true }))
    await settled()
    expect(getAccount(latchkey).status).toBe('connected')
  })

  test('is forgotten when its wallet forgot us [R4.7]', async () => {
    const { latchkey, events } = fakeWorld({ storage: remembering(), connectors: [fakeConnector({ restores: false })] })
    start(latchkey)
    await settled()
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: 'wallet' })
    expect(latchkey.memory.connections()).toEqual({})
    expect(events).toEqual([])
  })

  test('is given up after ten seconds when its wallet is locked, and remembered for the next load', async () => {
    const connectors = [fakeConnector({ restores: 'never answers' })]
    const { latchkey, clock } = fakeWorld({ storage: remembering(), connectors })
    start(latchkey)
    await settled()
    clock.advance(9_999)
    await settled()
    expect(getAccount(latchkey).status).toBe('reconnecting')
    clock.advance(1)
    await settled()
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: 'slow' })
    expect(latchkey.memory.connections().eip155).toBeDefined()
  })

  test('is remembered for the next load when its wallet fails', async () => {
    const connectors = [fakeConnector({ restores: new Error('locked') })]
    const { latchkey, events } = fakeWorld({ storage: remembering(), connectors })
    start(latchkey)
    await settled()
    expect(getAccount(latchkey).status).toBe('disconnected')
    expect(latchkey.memory.connections().eip155).toBeDefined()
    expect(events).toEqual([])
  })

  test('comes back in the namespaces that its wallet still grants, and in no others', async () => {
    const connector = fakeConnector({ namespaces: ['eip155', 'solana'], accounts: [account], restores: true })
    const { latchkey } = fakeWorld({
      adapters: twoFamilies(),
      storage: remembering('fake', ['eip155', 'solana']),
      connectors: [connector],
    })
    start(latchkey)
    await settled()
    expect(connector.calls.restore).toBe(1)
    expect(stateOf(latchkey, 'eip155').status).toBe('connected')
    expect(stateOf(latchkey, 'solana').status).toBe('disconnected')
    expect(Object.keys(latchkey.memory.connections())).toEqual(['eip155'])
  })

  test('gives way to a visitor who connects another wallet meanwhile', async () => {
    const slow = fakeConnector({ restores: true })
    let answer = (): void => {}
    const restoring: Connector = {
      ...slow,
      async restore(request) {
        await new Promise<void>((resolve) => (answer = resolve))
        return slow.restore(request)
      },
    }
    const { latchkey } = fakeWorld({ storage: remembering(), connectors: [restoring, fakeConnector({ id: 'other' })] })
    start(latchkey)
    await connect(latchkey, 'other')
    answer()
    await settled()
    expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'other' })
    expect(latchkey.memory.connections().eip155?.connectorId).toBe('other')
  })

  test('brings the namespace and the network back that were active', async () => {
    const storage = remembering()
    storage.setItem('@latchkey/active_network', JSON.stringify('solana:2'))
    const { latchkey } = fakeWorld({
      adapters: twoFamilies(),
      storage,
      connectors: [fakeConnector({ restores: true })],
    })
    start(latchkey)
    expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', network: { caipNetworkId: 'solana:2' } })
    await settled()
    expect(stateOf(latchkey, 'eip155').status).toBe('connected')
    expect(latchkey.wallet.getState().active).toBe('solana')
  })

  test('that is no connection is not taken up, nor may it break anything', async () => {
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

  test('replaces the ways to connect on screen, and nothing else', async () => {
    for (const [view, shown] of [
      ['Connect', 'Account'],
      ['AllWallets', 'AllWallets'],
    ] as const) {
      const connectors = [fakeConnector({ restores: true })]
      const { latchkey } = fakeWorld({ storage: remembering(), connectors })
      start(latchkey)
      openModal(latchkey, { entry: { view, params: {} } })
      await settled()
      expect(latchkey.modal.getState()).toMatchObject({ open: true, history: [{ view: shown }] })
    }
  })
})

describe('a connection that ended tells why', () => {
  const ended = async (options: FakeConnectorOptions): Promise<unknown> => {
    const { latchkey, clock } = fakeWorld({ storage: remembering(), connectors: [fakeConnector(options)] })
    start(latchkey)
    await settled()
    clock.advance(10_000)
    await settled()
    const kept = latchkey.memory.remembered('eip155').length > 0
    return { ...stateOf(latchkey, 'eip155'), kept }
  }

  test.each<[string, FakeConnectorOptions, { reason: EndReason; kept: boolean }]>([
    [
      'is locked',
      { restores: new LatchkeyError('wallet/locked', { wallet: 'Fake' }) },
      { reason: 'locked', kept: true },
    ],
    ['never answers', { restores: 'never answers' }, { reason: 'slow', kept: true }],
    ['fails', { restores: new Error('no') }, { reason: 'wallet', kept: true }],
    ['is gone', { id: 'other' }, { reason: 'uninstalled', kept: true }],
    ['forgot us', { restores: false }, { reason: 'wallet', kept: false }],
    ['has a session that is over', { restores: sessionOver() }, { reason: 'expired', kept: true }],
  ])('when its wallet %s at the start', async (_, options, expected) => {
    expect(await ended(options)).toEqual({ status: 'disconnected', ...expected })
  })

  test.each<EndReason | undefined>(['locked', 'account-removed', 'expired', undefined])(
    'when its wallet ends it as %s',
    async (reason) => {
      const connector = fakeConnector()
      const { latchkey } = fakeWorld({ connectors: [connector] })
      await connect(latchkey, 'fake')
      connector.leave(undefined, reason)
      expect(getAccount(latchkey)).toMatchObject({ status: 'disconnected', reason: reason ?? 'wallet' })
      expect(latchkey.memory.remembered('eip155')).toHaveLength(reason === 'locked' ? 1 : 0)
    },
  )

  test('is clean again with the next attempt, and before anything happened', async () => {
    const connector = fakeConnector()
    const { latchkey } = fakeWorld({ connectors: [connector] })
    expect(stateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
    await connect(latchkey, 'fake')
    await disconnect(latchkey)
    expect(stateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: 'visitor' })
    const attempt = new AbortController()
    attempt.abort()
    await failureOf(connect(latchkey, 'fake', { signal: attempt.signal }))
    expect(stateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: undefined })
  })
})

describe('wallets found in the page', () => {
  test('take their own earlier place when they announce themselves again', () => {
    const { latchkey, adapter } = fakeWorld({ connectors: [fakeConnector({ id: 'first', type: 'walletConnect' })] })
    start(latchkey)
    const [older, newer] = [fakeConnector({ id: 'io.wallet' }), fakeConnector({ id: 'io.wallet' })]
    adapter.announce(older)
    adapter.announce(fakeConnector({ id: 'io.other' }))
    adapter.announce(newer)
    expect(latchkey.connectors.getState().map(({ id }) => id)).toEqual(['first', 'io.wallet', 'io.other'])
    expect(latchkey.connectors.getState()[1]).toBe(newer)
  })

  test('do not take the place of what the app configured, whatever they call themselves', () => {
    const configured = fakeConnector({ id: 'walletConnect', type: 'walletConnect' })
    const { latchkey, adapter } = fakeWorld({ connectors: [configured] })
    start(latchkey)
    adapter.announce(fakeConnector({ id: 'walletConnect', type: 'injected' }))
    expect(latchkey.connectors.getState()).toEqual([configured])
  })

  test('are not heard of after the end', () => {
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
  test('does nothing more, and ends with the last end', () => {
    const { latchkey, adapter } = fakeWorld()
    const [first, second] = [start(latchkey), start(latchkey)]
    expect(adapter.looking()).toBe(1)
    first()
    first()
    expect(adapter.looking()).toBe(1)
    second()
    expect(adapter.looking()).toBe(0)
  })

  test('start, stop and start again, as React in strict mode does, restores once and keeps the connection', async () => {
    const connector = fakeConnector({ restores: true })
    const { latchkey, adapter, events } = fakeWorld({ storage: remembering(), connectors: [connector] })
    start(latchkey)()
    const stop = start(latchkey)
    await settled()
    expect(connector.calls.restore).toBe(1)
    expect(adapter.looking()).toBe(1)
    expect(events).toHaveLength(1)
    stop()
    expect(getAccount(latchkey).status).toBe('connected')
  })
})

describe('two tabs', () => {
  /** The same visitor's second page. */
  function secondTab({ storage }: FakeWorld, options: Parameters<typeof fakeConnector>[0]): FakeWorld {
    return fakeWorld({ storage: storage.otherTab(), connectors: [fakeConnector(options)] })
  }

  test('what is disconnected in one is disconnected in the other, whose wallet is not told again', async () => {
    const here = fakeWorld({ connectors: [fakeConnector()] })
    start(here.latchkey)
    await connect(here.latchkey, 'fake')
    const there = secondTab(here, { restores: true })
    start(there.latchkey)
    await settled()
    expect(getAccount(there.latchkey).status).toBe('connected')
    await disconnect(here.latchkey)
    await settled()
    expect(getAccount(there.latchkey).status).toBe('disconnected')
    expect(there.events.at(-1)).toEqual({ type: 'disconnect', namespace: 'eip155', by: 'other-tab' })
    const [connector] = there.latchkey.connectors.getState()
    expect(connector).toMatchObject({ calls: { disconnect: 0 } })
  })

  test('what is connected in one is connected in the other', async () => {
    const here = fakeWorld({ connectors: [fakeConnector()] })
    const there = secondTab(here, { restores: true })
    start(here.latchkey)
    start(there.latchkey)
    await connect(here.latchkey, 'fake')
    await settled()
    expect(getAccount(there.latchkey)).toMatchObject({ status: 'connected', account })
  })

  test('what is disconnected in one does not come back in the other that was still restoring it', async () => {
    const here = fakeWorld({ storage: remembering(), connectors: [fakeConnector({ restores: true })] })
    const there = secondTab(here, { restores: 'never answers' })
    start(here.latchkey)
    start(there.latchkey)
    await settled()
    await disconnect(here.latchkey)
    await settled()
    expect(getAccount(there.latchkey).status).toBe('disconnected')
    there.clock.advance(10_000)
    await settled()
    expect(getAccount(there.latchkey).status).toBe('disconnected')
    expect(there.latchkey.memory.connections()).toEqual({})
  })

  test('another wallet connected in one takes the place of the first in the other', async () => {
    const here = fakeWorld({ connectors: [fakeConnector(), fakeConnector({ id: 'other' })] })
    const there = fakeWorld({
      storage: here.storage.otherTab(),
      connectors: [fakeConnector({ restores: true }), fakeConnector({ id: 'other', restores: true })],
    })
    start(here.latchkey)
    start(there.latchkey)
    await connect(here.latchkey, 'fake')
    await settled()
    await connect(here.latchkey, 'other')
    await settled()
    expect(getAccount(there.latchkey)).toMatchObject({ status: 'connected', connectorId: 'other' })
    expect(getAccount(here.latchkey)).toMatchObject({ status: 'connected', connectorId: 'other' })
  })

  test('an attempt under way is left alone by the other tab', async () => {
    const here = fakeWorld({ connectors: [fakeConnector({ neverAnswers: true })] })
    start(here.latchkey)
    const attempt = new AbortController()
    const failure = failureOf(connect(here.latchkey, 'fake', { signal: attempt.signal }))
    here.storage.otherTab().setItem('@latchkey/connections', '{}')
    expect(getAccount(here.latchkey).status).toBe('connecting')
    attempt.abort()
    await failure
  })
})
