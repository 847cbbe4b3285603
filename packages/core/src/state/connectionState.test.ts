import { isLatchkeyError, type AccountId, type ChainId, type Namespace, walletError } from '@latchkey/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disconnect } from '../connection/disconnect.ts'
import { connect } from '../connection/connect.ts'
import { start } from '../connection/start.ts'
import type { Connection } from '../contracts/connector.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  type FakeConnector,
  type FakeWorld,
} from '../testing/fakes.ts'
import { connectedWallet, type ConnectionEvent, type ConnectionState } from './connectionState.ts'
import { reduceConnection } from './reduceConnection.ts'
import { connectionStateOf } from './getAccount.ts'

const one = connectionOn('eip155:1', [fakeAccount('eip155:1', 0), fakeAccount('eip155:1', 1)])
const two = connectionOn('eip155:2', [fakeAccount('eip155:2', 2)])
const disconnected: ConnectionState = { status: 'disconnected' }

function connectionOn(chainId: ChainId, accounts: Connection['accounts']): Connection {
  return {
    namespace: 'eip155',
    accounts,
    chainId,
    approvedChains: 'all',
    wallet: { name: 'Fake' },
    provider: { request: async () => undefined },
    listen: () => () => {},
  }
}

function applyEvents(...events: ConnectionEvent[]): ConnectionState {
  return events.reduce(reduceConnection, disconnected)
}

const createAttemptEvent = (connectorId: string): ConnectionEvent => ({ type: 'attempt', connectorId })
const createGrantedEvent = (connectorId: string, connection: Connection): ConnectionEvent => ({
  type: 'granted',
  connectorId,
  connection,
})
const resume: ConnectionEvent = {
  type: 'resume',
  connectorId: 'a',
  account: fakeAccount('eip155:1'),
  chainId: 'eip155:1',
}

describe('reduceConnection in one namespace', () => {
  test('goes from connecting to connected when the wallet grants [R4.4]', () => {
    expect(applyEvents(createAttemptEvent('a'))).toEqual({
      status: 'connecting',
      connectorId: 'a',
      previous: undefined,
    })
    expect(applyEvents(createAttemptEvent('a'), createGrantedEvent('a', one))).toMatchObject({
      status: 'connected',
      connectorId: 'a',
      account: fakeAccount('eip155:1', 0),
      chainId: 'eip155:1',
      connection: one,
    })
  })

  test('returns to disconnected when a first attempt fails [R4.4]', () => {
    expect(applyEvents(createAttemptEvent('a'), { type: 'failed' })).toEqual(disconnected)
  })

  test('returns to the previous wallet when an attempt with another fails [R4.4]', () => {
    const connected = applyEvents(createAttemptEvent('a'), createGrantedEvent('a', one))
    expect(
      applyEvents(createAttemptEvent('a'), createGrantedEvent('a', one), createAttemptEvent('b'), { type: 'failed' }),
    ).toEqual(connected)
    expect(
      applyEvents(
        createAttemptEvent('a'),
        createGrantedEvent('a', one),
        createAttemptEvent('b'),
        createAttemptEvent('c'),
        { type: 'failed' },
      ),
    ).toEqual(connected)
  })

  test('is reconnecting until a stored wallet responds [R4.3]', () => {
    expect(applyEvents(resume)).toEqual({
      status: 'reconnecting',
      connectorId: 'a',
      account: fakeAccount('eip155:1'),
      chainId: 'eip155:1',
    })
    expect(applyEvents(resume, { type: 'failed' })).toEqual(disconnected)
    expect(applyEvents(createAttemptEvent('b'), resume)).toMatchObject({ status: 'connecting', connectorId: 'b' })
  })

  test('is disconnected, without a connector, after the connection ended [R4.5] [R4.6]', () => {
    expect(applyEvents(createAttemptEvent('a'), createGrantedEvent('a', one), { type: 'ended' })).toEqual(disconnected)
    expect(applyEvents(resume, { type: 'ended' })).toEqual(disconnected)
  })

  test('stays connecting when the wallet that it replaces disconnects', () => {
    const waiting = applyEvents(createAttemptEvent('a'), createGrantedEvent('a', one), createAttemptEvent('b'), {
      type: 'ended',
    })
    expect(waiting).toEqual({ status: 'connecting', connectorId: 'b', previous: undefined })
    expect(reduceConnection(waiting, { type: 'failed' })).toEqual(disconnected)
  })

  test('follows the accounts and the chain of its wallet, with accounts on the current chain [R4.7]', () => {
    const moved = applyEvents(createAttemptEvent('a'), createGrantedEvent('a', one), {
      type: 'chain',
      connection: one,
      chainId: 'eip155:2',
    })
    expect(moved).toMatchObject({
      chainId: 'eip155:2',
      account: fakeAccount('eip155:2', 0),
      accounts: [fakeAccount('eip155:2', 0), fakeAccount('eip155:2', 1)],
    })
    const accounts: [AccountId, AccountId] = [fakeAccount('eip155:1', 5), fakeAccount('eip155:2', 5)]
    expect(reduceConnection(moved, { type: 'accounts', connection: one, accounts })).toMatchObject({
      account: fakeAccount('eip155:2', 5),
      accounts: [fakeAccount('eip155:2', 5)],
    })
  })

  test('ignores events of a replaced connection', () => {
    const state = applyEvents(
      createAttemptEvent('a'),
      createGrantedEvent('a', one),
      createAttemptEvent('b'),
      createGrantedEvent('b', two),
    )
    expect(reduceConnection(state, { type: 'chain', connection: one, chainId: 'eip155:9' })).toBe(state)
    expect(reduceConnection(state, { type: 'accounts', connection: one, accounts: [fakeAccount('eip155:1', 9)] })).toBe(
      state,
    )
  })

  test('follows the current wallet while another one is connecting', () => {
    const state = applyEvents(createAttemptEvent('a'), createGrantedEvent('a', one), createAttemptEvent('b'), {
      type: 'chain',
      connection: one,
      chainId: 'eip155:2',
    })
    expect(connectedWallet(state)).toMatchObject({
      connectorId: 'a',
      chainId: 'eip155:2',
      account: fakeAccount('eip155:2', 0),
    })
    expect(state.status).toBe('connecting')
  })
})

describe('reduceConnection in three namespaces', () => {
  const families: readonly Namespace[] = ['eip155', 'solana', 'polkadot']
  /** The events of a namespace, and the error that a pending attempt fails with. */
  const failures = {
    connect: undefined,
    decline: 'connection/rejected',
    'give up': 'connection/aborted',
    break: 'wallet/unavailable',
    disconnect: undefined,
    leave: undefined,
    'select account': undefined,
    'select chain': undefined,
  } as const
  type Action = keyof typeof failures
  // `Object.keys` widens the names to strings.
  const actions = Object.keys(failures) as Action[]
  const step = fc.record({ namespace: fc.constantFrom(...families), action: fc.constantFrom(...actions) })

  test('keeps them independent, and connects none without a grant [R4.2] [R4.4] [R4.5]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const connectors = families.map((namespace) =>
          fakeConnector({ id: namespace, namespaces: [namespace], neverResponds: true }),
        )
        const world = fakeWorld({ adapters: families.map((namespace) => fakeAdapter({ namespace })), connectors })
        const stop = start(world.latchkey)
        const granted = new Set<Namespace>()
        for (const { namespace, action } of steps) {
          const before = others(world, namespace)
          const connector = connectors[families.indexOf(namespace)] ?? fakeConnector()
          expect(await perform(world, connector, namespace, action)).toBe(failures[action])
          if (action === 'connect') granted.add(namespace)
          if (action === 'disconnect' || action === 'leave') granted.delete(namespace)
          expect(others(world, namespace)).toEqual(before)
          const state = connectionStateOf(world.latchkey, namespace)
          expect([namespace, state.status]).toEqual([namespace, granted.has(namespace) ? 'connected' : 'disconnected'])
          expect(connectedWallet(state)?.connection.namespace ?? namespace).toBe(namespace)
        }
        stop()
      }),
      { numRuns: 60 },
    )
  })

  function others({ latchkey }: FakeWorld, namespace: Namespace): unknown {
    return families.filter((other) => other !== namespace).map((other) => connectionStateOf(latchkey, other))
  }

  /** Runs one step, and returns the code of the error that the connection attempt failed with. */
  async function perform(
    { latchkey }: FakeWorld,
    connector: FakeConnector,
    namespace: Namespace,
    action: Action,
  ): Promise<unknown> {
    if (action === 'disconnect') return disconnect(latchkey, namespace)
    if (action === 'leave') return connector.leave()
    if (action === 'select account') return connector.emitAccounts([fakeAccount(`${namespace}:1`, 4)])
    if (action === 'select chain') return connector.emitChain(`${namespace}:2`)
    const attempt = new AbortController()
    const failure = getRejection(connect(latchkey, namespace, { signal: attempt.signal }))
    if (action === 'connect') connector.approve()
    if (action === 'decline') connector.reject()
    if (action === 'give up') attempt.abort()
    if (action === 'break') connector.reject(walletError('wallet/unavailable', { wallet: 'Fake' }))
    const error = await failure
    return isLatchkeyError(error) ? error.code : error
  }
})
