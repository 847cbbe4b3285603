import type { AccountId } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { Connection, ConnectionListener, Connector } from '../contracts/connector.ts'
import { getAccount, connectionStateOf } from '../state/getAccount.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  flushTasks,
  type FakeWorld,
} from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { getConnections } from './getConnections.ts'
import { start } from './start.ts'

/** A wallet that sends any event on request, even after its listeners were removed. */
type Liar = { connector: Connector; listeners: ConnectionListener[]; stopped: () => number }

function createLiar(id = 'liar'): Liar {
  const inner = fakeConnector({ id, accounts: [fakeAccount('eip155:1'), fakeAccount('eip155:1', 1)] })
  const listeners: ConnectionListener[] = []
  let stopped = 0
  const lying = (connection: Connection): Connection => ({
    ...connection,
    listen(listener) {
      listeners.push(listener)
      return () => void (stopped += 1)
    },
  })
  const connector: Connector = {
    ...inner,
    async connect(request) {
      const [first, ...others] = await inner.connect(request)
      return [lying(first), ...others.map(lying)]
    },
  }
  return { connector, listeners, stopped: () => stopped }
}

async function connectLiars(wallets: readonly Liar[], multiWallet = false): Promise<FakeWorld> {
  const world = fakeWorld({
    adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })],
    connectors: wallets.map(({ connector }) => connector),
    multiWallet,
  })
  for (const { connector } of wallets) await connect(world.latchkey, connector.id)
  return world
}

describe('a misbehaving wallet', () => {
  test('is ignored after it was disconnected', async () => {
    const wallet = createLiar()
    const { latchkey, events } = await connectLiars([wallet])
    await disconnect(latchkey)
    const [before, eventCount] = [latchkey.wallet.getState(), events.length]
    for (const listener of wallet.listeners) {
      listener.accountsChanged([fakeAccount('eip155:1', 7)])
      listener.chainChanged('eip155:2')
      listener.disconnected('expired')
    }
    expect(latchkey.wallet.getState()).toBe(before)
    expect(events).toHaveLength(eventCount)
    expect(wallet.stopped()).toBe(1)
  })

  test('is ignored after another wallet replaced it', async () => {
    const [old, fresh] = [createLiar('old'), createLiar('fresh')]
    const { latchkey } = await connectLiars([old, fresh])
    const before = latchkey.wallet.getState()
    for (const listener of old.listeners) {
      listener.accountsChanged([fakeAccount('eip155:1', 7)])
      listener.chainChanged('eip155:2')
      listener.disconnected()
    }
    expect(latchkey.wallet.getState()).toBe(before)
    expect(latchkey.internal.memory.remembered('eip155')).toMatchObject([{ connectorId: 'fresh' }])
  })

  test('is ignored when it reports accounts of another namespace', async () => {
    const wallet = createLiar()
    const { latchkey } = await connectLiars([wallet])
    const before = latchkey.wallet.getState()
    for (const listener of wallet.listeners) {
      listener.accountsChanged([fakeAccount('solana:1')])
      listener.accountsChanged([fakeAccount('eip155:1', 5), fakeAccount('solana:1')])
      listener.chainChanged('solana:1')
    }
    expect(latchkey.wallet.getState()).toBe(before)
  })

  test('that disconnects twice causes one event', async () => {
    const wallet = createLiar()
    const { latchkey, events } = await connectLiars([wallet])
    for (const listener of [...wallet.listeners, ...wallet.listeners]) listener.disconnected('account-removed')
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: 'account-removed' })
    expect(events.filter(({ type }) => type === 'disconnect')).toHaveLength(1)
  })

  test('that repeats an event has no effect, and causes no second event', async () => {
    const wallet = createLiar()
    const { latchkey, events } = await connectLiars([wallet])
    for (const _ of [1, 2, 3]) for (const listener of wallet.listeners) listener.chainChanged('eip155:2')
    expect(events.filter(({ type }) => type === 'network')).toEqual([{ type: 'network', chainId: 'eip155:2' }])
    expect(getAccount(latchkey)).toMatchObject({ account: fakeAccount('eip155:2') })
  })

  test('that shares one account twice has it once', async () => {
    const wallet = createLiar()
    const { latchkey } = await connectLiars([wallet])
    const twice: [AccountId, AccountId] = [fakeAccount('eip155:1', 4), fakeAccount('eip155:1', 4)]
    for (const listener of wallet.listeners) listener.accountsChanged(twice)
    expect(getConnections(latchkey)[0]?.accounts).toEqual([fakeAccount('eip155:1', 4)])
  })

  test('does not affect other wallets', async () => {
    const [old, fresh] = [createLiar('old'), createLiar('fresh')]
    const { latchkey } = await connectLiars([old, fresh], true)
    const primary = connectionStateOf(latchkey, 'eip155')
    for (const listener of old.listeners) {
      listener.chainChanged('eip155:2')
      listener.disconnected()
      listener.disconnected()
      listener.accountsChanged([fakeAccount('eip155:1', 9)])
    }
    expect(connectionStateOf(latchkey, 'eip155')).toBe(primary)
    expect(getConnections(latchkey)).toHaveLength(1)
    expect(latchkey.internal.tasks.followed.size).toBe(1)
  })

  test('that responds after the attempt was aborted does not connect', async () => {
    const connector = fakeConnector({ neverResponds: true, ignoresAbort: true })
    const { latchkey, events } = fakeWorld({ connectors: [connector] })
    const attempt = new AbortController()
    const failure = getRejection(connect(latchkey, 'fake', { signal: attempt.signal }))
    attempt.abort()
    expect(await failure).toMatchObject({ code: 'connection/aborted' })
    connector.approve()
    await flushTasks()
    expect(connectionStateOf(latchkey, 'eip155').status).toBe('disconnected')
    expect(events.map(({ type }) => type)).toEqual(['connect-error'])
    expect([latchkey.internal.tasks.attempts.size, latchkey.internal.tasks.followed.size]).toEqual([0, 0])
  })
})

test('leaves no listeners after fifty overlapping starts and stops', async () => {
  const adapter = fakeAdapter()
  const { latchkey, clock } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  for (let round = 0; round < 50; round += 1) {
    start(latchkey)()
    const stop = start(latchkey)
    expect([adapter.looking(), latchkey.internal.tasks.followed.size]).toEqual([1, 1])
    stop()
  }
  expect([adapter.looking(), clock.waiting(), latchkey.internal.tasks.stops.length]).toEqual([0, 0, 0])
  expect(getAccount(latchkey).status).toBe('connected')
})
