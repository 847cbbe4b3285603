import { connectionError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { getAccount, connectionStateOf } from '../state/getAccount.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeNetwork,
  fakeWorld,
  flushTasks,
} from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { getRecentWallets } from '../storage/recentWallets.ts'

const declined = connectionError('connection/rejected', { wallet: 'Fake Wallet' })

test('connect updates the state, emits the event and stores the connection [R1.1] [R4.4]', async () => {
  const { latchkey, events, storage } = fakeWorld({ connectors: [fakeConnector()] })
  const connecting = connect(latchkey, 'fake')
  expect(getAccount(latchkey)).toMatchObject({ status: 'connecting', connectorId: 'fake' })
  expect(await connecting).toBe(fakeAccount('eip155:1'))
  expect(getAccount(latchkey)).toMatchObject({
    status: 'connected',
    connectorId: 'fake',
    account: fakeAccount('eip155:1'),
    supported: true,
    wallet: { name: 'Fake Wallet' },
  })
  expect(events).toEqual([{ type: 'connect', connectorId: 'fake', account: fakeAccount('eip155:1'), restored: false }])
  expect(latchkey.internal.memory.connections()).toEqual({
    eip155: { connectorId: 'fake', account: fakeAccount('eip155:1'), chainId: 'eip155:1' },
  })
  expect(getRecentWallets(latchkey.internal.memory)).toEqual([{ id: 'fake', name: 'Fake Wallet' }])
  expect([...storage.values.keys()].every((key) => key.startsWith('@latchkey/'))).toBe(true)
})

test('connect returns to disconnected when the user declines [R4.4]', async () => {
  const { latchkey, events } = fakeWorld({ connectors: [fakeConnector({ rejectWith: declined })] })
  await expect(connect(latchkey, 'fake')).rejects.toBe(declined)
  expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
  expect(events).toEqual([{ type: 'connect-error', connectorId: 'fake', code: 'connection/rejected' }])
  expect(getRecentWallets(latchkey.internal.memory)).toEqual([])
})

test('connect keeps the connected wallet when the user declines another one [R4.4]', async () => {
  const connectors = [fakeConnector({ id: 'a' }), fakeConnector({ id: 'b', rejectWith: declined })]
  const { latchkey } = fakeWorld({ connectors })
  await connect(latchkey, 'a')
  await expect(connect(latchkey, 'b')).rejects.toBe(declined)
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'a' })
  expect(latchkey.internal.memory.connections().eip155?.connectorId).toBe('a')
})

test('connect reports an error without a code to the app', async () => {
  const broken = new TypeError('the wallet is broken')
  const { latchkey, events } = fakeWorld({ connectors: [fakeConnector({ rejectWith: broken })] })
  await expect(connect(latchkey, 'fake')).rejects.toBe(broken)
  expect(events).toEqual([{ type: 'connect-error', connectorId: 'fake', code: undefined }])
})

test('connect rejects an unknown connector id', async () => {
  const { latchkey } = fakeWorld()
  await expect(connect(latchkey, 'gone')).rejects.toMatchObject({
    code: 'connector/not-found',
    context: { id: 'gone' },
  })
})

test('connect rejects a namespace that is not configured, without a change [R5.2.1] [R8.3.3]', async () => {
  const connector = fakeConnector({ namespaces: ['solana'] })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  await expect(connect(latchkey, 'fake')).rejects.toMatchObject({ code: 'adapter/not-found' })
  await expect(connect(latchkey, 'fake', { namespaces: ['eip155'] })).rejects.toMatchObject({
    code: 'adapter/not-found',
  })
  expect(connector.connectRequests).toEqual([])
  expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
})

describe('aborting', () => {
  test('ends the attempt when the caller aborts it', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector({ neverResponds: true })] })
    const attempt = new AbortController()
    const failure = getRejection(connect(latchkey, 'fake', { signal: attempt.signal }))
    attempt.abort()
    expect(await failure).toMatchObject({ code: 'connection/aborted' })
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
    expect(latchkey.internal.tasks.attempts.size).toBe(0)
  })

  test('does not wait for a wallet that keeps its prompt open, and ignores its late response', async () => {
    const connector = fakeConnector({ neverResponds: true, ignoresAbort: true })
    const { latchkey } = fakeWorld({ connectors: [connector] })
    const attempt = new AbortController()
    const failure = getRejection(connect(latchkey, 'fake', { signal: attempt.signal }))
    attempt.abort()
    expect(await failure).toMatchObject({ code: 'connection/aborted' })
    connector.approve()
    await flushTasks()
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
    expect(latchkey.internal.memory.connections()).toEqual({})
  })

  test('a signal that is already aborted changes nothing', async () => {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await expect(connect(latchkey, 'fake', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'connection/aborted',
    })
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
  })

  test('a newer attempt aborts the older one, which has no further effect', async () => {
    const older = fakeConnector({ id: 'older', neverResponds: true, ignoresAbort: true })
    const newer = fakeConnector({ id: 'newer', neverResponds: true })
    const { latchkey } = fakeWorld({ connectors: [older, newer] })
    const failure = getRejection(connect(latchkey, 'older'))
    const connecting = connect(latchkey, 'newer')
    expect(await failure).toMatchObject({ code: 'connection/aborted' })
    expect(connectionStateOf(latchkey, 'eip155')).toMatchObject({ status: 'connecting', connectorId: 'newer' })
    older.approve()
    await flushTasks()
    expect(connectionStateOf(latchkey, 'eip155')).toMatchObject({ status: 'connecting', connectorId: 'newer' })
    newer.approve()
    await connecting
    expect(connectionStateOf(latchkey, 'eip155')).toMatchObject({ status: 'connected', connectorId: 'newer' })
  })

  test('a newer attempt in one namespace ends the older one in its other namespaces', async () => {
    const both = fakeConnector({ id: 'both', namespaces: ['eip155', 'solana'], neverResponds: true })
    const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
    const { latchkey } = fakeWorld({ adapters, connectors: [both, fakeConnector()] })
    const failure = getRejection(connect(latchkey, 'both'))
    await connect(latchkey, 'fake')
    expect(await failure).toMatchObject({ code: 'connection/aborted' })
    expect(connectionStateOf(latchkey, 'eip155')).toMatchObject({ status: 'connected', connectorId: 'fake' })
    expect(connectionStateOf(latchkey, 'solana')).toEqual({ status: 'disconnected' })
  })

  test('disconnecting aborts an attempt', async () => {
    const connector = fakeConnector({ neverResponds: true, ignoresAbort: true })
    const { latchkey } = fakeWorld({ connectors: [connector] })
    const failure = getRejection(connect(latchkey, 'fake'))
    await disconnect(latchkey)
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
    connector.approve()
    expect(await failure).toMatchObject({ code: 'connection/aborted' })
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
  })
})

describe('several namespaces', () => {
  const adapters = (): [ReturnType<typeof fakeAdapter>, ReturnType<typeof fakeAdapter>] => [
    fakeAdapter(),
    fakeAdapter({ namespace: 'solana' }),
  ]

  test('connects all that the wallet grants, and leaves the active one active', async () => {
    const connector = fakeConnector({ namespaces: ['solana', 'eip155'] })
    const { latchkey } = fakeWorld({ adapters: adapters(), connectors: [connector] })
    await connect(latchkey, 'fake')
    expect(connectionStateOf(latchkey, 'eip155').status).toBe('connected')
    expect(connectionStateOf(latchkey, 'solana').status).toBe('connected')
    expect(latchkey.wallet.getState().active).toBe('eip155')
  })

  test('makes the granted namespace active when the active one was not granted', async () => {
    const connector = fakeConnector({ namespaces: ['eip155', 'solana'], accounts: [fakeAccount('solana:1')] })
    const { latchkey } = fakeWorld({ adapters: adapters(), connectors: [connector] })
    await connect(latchkey, 'fake')
    expect(latchkey.wallet.getState().active).toBe('solana')
    expect(connectionStateOf(latchkey, 'eip155')).toEqual({ status: 'disconnected' })
  })

  test('requests the given namespaces only, and ignores others that are granted', async () => {
    const greedy = fakeConnector({
      id: 'greedy',
      namespaces: ['eip155', 'solana'],
      accounts: [fakeAccount('eip155:1', 9), fakeAccount('solana:1', 9)],
    })
    const { latchkey } = fakeWorld({ adapters: adapters(), connectors: [fakeConnector(), greedy] })
    await connect(latchkey, 'fake')
    const before = connectionStateOf(latchkey, 'eip155')
    await connect(latchkey, 'greedy', { namespaces: ['solana'] })
    expect(greedy.connectRequests[0]?.networks.every(({ chainNamespace }) => chainNamespace === 'solana')).toBe(true)
    expect(connectionStateOf(latchkey, 'eip155')).toBe(before)
    expect(connectionStateOf(latchkey, 'solana')).toMatchObject({ status: 'connected', connectorId: 'greedy' })
  })

  test('rejects when the wallet grants none of the requested namespaces', async () => {
    const connector = fakeConnector({ namespaces: ['eip155', 'solana'], accounts: [fakeAccount('eip155:1')] })
    const { latchkey } = fakeWorld({ adapters: adapters(), connectors: [connector] })
    await expect(connect(latchkey, 'fake', { namespaces: ['solana'] })).rejects.toMatchObject({
      code: 'session/invalid',
    })
    expect(connectionStateOf(latchkey, 'solana')).toEqual({ status: 'disconnected' })
  })
})

test('offers the current network first', async () => {
  const connector = fakeConnector()
  const { latchkey } = fakeWorld({ connectors: [connector], defaultNetwork: 'eip155:2' })
  await connect(latchkey, 'fake')
  expect(connector.connectRequests[0]?.networks.map(({ caipNetworkId }) => caipNetworkId)).toEqual([
    'eip155:2',
    'eip155:1',
  ])
})

describe('a wallet that is replaced', () => {
  test('is disconnected, and its later events are ignored', async () => {
    const [old, fresh] = [fakeConnector({ id: 'old' }), fakeConnector({ id: 'fresh' })]
    const { latchkey } = fakeWorld({ connectors: [old, fresh] })
    await connect(latchkey, 'old')
    await connect(latchkey, 'fresh')
    expect(old.calls.disconnect).toBe(1)
    old.leave()
    old.emitChain('eip155:2')
    expect(connectionStateOf(latchkey, 'eip155')).toMatchObject({
      status: 'connected',
      connectorId: 'fresh',
      chainId: 'eip155:1',
    })
  })

  test('is kept while it serves another namespace', async () => {
    const old = fakeConnector({ id: 'old', namespaces: ['eip155', 'solana'] })
    const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
    const { latchkey } = fakeWorld({ adapters, connectors: [old, fakeConnector({ id: 'fresh' })] })
    await connect(latchkey, 'old')
    await connect(latchkey, 'fresh')
    expect(old.calls.disconnect).toBe(0)
    expect(connectionStateOf(latchkey, 'solana')).toMatchObject({ status: 'connected', connectorId: 'old' })
  })

  test('does not delay the connection when it never responds or fails', async () => {
    const old = fakeConnector({ id: 'old' })
    const { latchkey } = fakeWorld({
      connectors: [{ ...old, disconnect: () => new Promise(() => {}) }, fakeConnector({ id: 'fresh' })],
    })
    await connect(latchkey, 'old')
    expect(await connect(latchkey, 'fresh')).toBe(fakeAccount('eip155:1'))
    const failing = fakeConnector({ id: 'failing' })
    failing.fail('disconnect', new Error('no'))
    latchkey.connectors.setState([failing, fakeConnector({ id: 'fresh' })], true)
    await connect(latchkey, 'failing')
    expect(await connect(latchkey, 'fresh')).toBe(fakeAccount('eip155:1'))
    await flushTasks()
  })
})

test("a connected wallet's accounts, chain and disconnect update the state [R4.5] [R4.7]", async () => {
  const connector = fakeConnector()
  const { latchkey, events } = fakeWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  events.length = 0
  connector.emitAccounts([fakeAccount('eip155:1', 3)])
  connector.emitChain('eip155:2')
  connector.emitChain('eip155:2')
  expect(latchkey.internal.memory.connections().eip155).toEqual({
    connectorId: 'fake',
    account: fakeAccount('eip155:2', 3),
    chainId: 'eip155:2',
  })
  expect(latchkey.internal.memory.activeNetwork()).toBe('eip155:2')
  connector.leave()
  expect(events).toEqual([
    { type: 'account', account: fakeAccount('eip155:1', 3) },
    { type: 'network', chainId: 'eip155:2' },
    { type: 'account', account: fakeAccount('eip155:2', 3) },
    { type: 'disconnect', namespace: 'eip155', by: 'wallet' },
  ])
  expect(getAccount(latchkey).status).toBe('disconnected')
  expect(latchkey.internal.memory.connections()).toEqual({})
})

test('a network that is not configured is shown as unsupported', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ accounts: [fakeAccount('eip155:99')] })] })
  await connect(latchkey, 'fake')
  expect(getAccount(latchkey)).toMatchObject({ supported: false, network: { name: 'Unknown eip155:99' } })
})

test('each pairing URI is passed on until the wallet responds', async () => {
  const connector = fakeConnector({ type: 'walletConnect', uris: ['wc:1', 'wc:2', 'wc:3'], neverResponds: true })
  const { latchkey } = fakeWorld({ connectors: [connector], adapters: [fakeAdapter({ networks: [fakeNetwork()] })] })
  const uris: string[] = []
  const attempt = new AbortController()
  const failure = getRejection(connect(latchkey, 'fake', { signal: attempt.signal, onUri: (uri) => uris.push(uri) }))
  connector.renew()
  attempt.abort()
  connector.connectRequests[0]?.onUri?.('wc:late')
  await failure
  expect(uris).toEqual(['wc:1', 'wc:2'])
})
