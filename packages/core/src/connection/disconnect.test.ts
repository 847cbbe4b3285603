import { describe, expect, test } from 'vitest'
import { getAccount, connectionStateOf } from '../state/getAccount.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  flushTasks,
  type FakeConnector,
  type FakeWorld,
} from '../testing/fakes.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { start } from './start.ts'
import { getDeepLink, setDeepLink } from '../storage/deepLink.ts'
import { getRecentWallets } from '../storage/recentWallets.ts'

function createTwoNamespaceWorld(connectors: Parameters<typeof fakeWorld>[0] & object): FakeWorld {
  return fakeWorld({ adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })], ...connectors })
}

test('disconnect removes the account, and notifies the wallet and the app [R4.1.1] [R4.5] [R4.6]', async () => {
  const connector = fakeConnector()
  const { latchkey, events } = fakeWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  setDeepLink(latchkey.internal.memory, { href: 'fake://', name: 'Fake' })
  await disconnect(latchkey)
  expect(getAccount(latchkey).status).toBe('disconnected')
  expect(connector.calls.disconnect).toBe(1)
  expect(events.at(-1)).toEqual({ type: 'disconnect', namespace: 'eip155', by: 'user' })
  expect(latchkey.internal.memory.connections()).toEqual({})
  expect(getDeepLink(latchkey.internal.memory)).toBeUndefined()
  expect(getRecentWallets(latchkey.internal.memory)).toHaveLength(1)
})

test('disconnect keeps other namespaces connected [R4.1.1]', async () => {
  const connectors = [fakeConnector({ id: 'a' }), fakeConnector({ id: 'b', namespaces: ['solana'] })]
  const { latchkey } = createTwoNamespaceWorld({ connectors })
  await connect(latchkey, 'a')
  await connect(latchkey, 'b')
  await disconnect(latchkey, 'eip155')
  expect(connectionStateOf(latchkey, 'eip155').status).toBe('disconnected')
  expect(connectionStateOf(latchkey, 'solana').status).toBe('connected')
  await disconnect(latchkey)
  expect(connectionStateOf(latchkey, 'solana').status).toBe('disconnected')
})

test.each(['walletConnect', 'embedded'] as const)(
  'disconnect ends all namespaces of one %s session [R4.1.2]',
  async (type) => {
    const connector = fakeConnector({ type, namespaces: ['eip155', 'solana'] })
    const { latchkey, events } = createTwoNamespaceWorld({ connectors: [connector] })
    await connect(latchkey, 'fake')
    await disconnect(latchkey, 'solana')
    expect(connectionStateOf(latchkey, 'eip155').status).toBe('disconnected')
    expect(connector.calls.disconnect).toBe(1)
    expect(events.filter(({ type }) => type === 'disconnect')).toHaveLength(2)
  },
)

test('disconnect keeps an extension that still serves another namespace [R4.1.2]', async () => {
  const connector = fakeConnector({ namespaces: ['eip155', 'solana'] })
  const { latchkey } = createTwoNamespaceWorld({ connectors: [connector] })
  await connect(latchkey, 'fake')
  await disconnect(latchkey, 'solana')
  expect(connector.calls.disconnect).toBe(0)
  expect(connectionStateOf(latchkey, 'eip155').status).toBe('connected')
  expect(Object.keys(latchkey.internal.memory.connections())).toEqual(['eip155'])
})

test('disconnect succeeds locally when wallets fail, and rejects with the error of each [R4.1.1] [R8.3.11]', async () => {
  const connectors = [fakeConnector({ id: 'a' }), fakeConnector({ id: 'b', namespaces: ['solana'] })]
  const { latchkey } = createTwoNamespaceWorld({ connectors })
  await connect(latchkey, 'a')
  await connect(latchkey, 'b')
  for (const connector of connectors) connector.fail('disconnect', new Error(`${connector.id} is gone`))
  await expect(disconnect(latchkey)).rejects.toMatchObject({
    code: 'disconnect/failed',
    context: { reasons: ['a is gone', 'b is gone'] },
    message: expect.stringContaining('a is gone; b is gone'),
  })
  expect(connectionStateOf(latchkey, 'eip155').status).toBe('disconnected')
  expect(connectionStateOf(latchkey, 'solana').status).toBe('disconnected')
  expect(latchkey.internal.memory.connections()).toEqual({})
})

test('disconnect aborts a reconnecting wallet, and ignores its later events [R4.3]', async () => {
  const before = fakeWorld({ connectors: [fakeConnector()] })
  await connect(before.latchkey, 'fake')
  const { storage } = before
  let respond = (): void => {}
  const slow = fakeConnector({ restores: true })
  const { latchkey } = fakeWorld({
    storage,
    connectors: [
      {
        ...slow,
        async restore(request) {
          const granted = await slow.restore(request)
          await new Promise<void>((resolve) => (respond = resolve))
          return granted
        },
      },
    ],
  })
  start(latchkey)
  await flushTasks()
  expect(getAccount(latchkey).status).toBe('reconnecting')
  await disconnect(latchkey)
  expect(getAccount(latchkey).status).toBe('disconnected')
  respond()
  await flushTasks()
  expect(getAccount(latchkey).status).toBe('disconnected')
  expect(latchkey.internal.memory.connections()).toEqual({})
})

test('disconnect does nothing when nothing is connected', async () => {
  const { latchkey, events } = fakeWorld({ connectors: [fakeConnector()] })
  await disconnect(latchkey)
  await disconnect(latchkey, 'solana')
  expect(events).toEqual([])
})

test('a wallet that disconnects during a pending attempt does not affect the attempt', async () => {
  const [old, fresh] = [fakeConnector({ id: 'old' }), fakeConnector({ id: 'fresh', neverResponds: true })]
  const { latchkey } = fakeWorld({ connectors: [old, fresh] })
  await connect(latchkey, 'old')
  const failure = getRejection(connect(latchkey, 'fresh'))
  old.leave()
  expect(connectionStateOf(latchkey, 'eip155')).toMatchObject({ status: 'connecting', connectorId: 'fresh' })
  fresh.approve()
  expect(await failure).toBeUndefined()
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', account: fakeAccount('eip155:1') })
})

describe('one wallet with a connector per namespace', () => {
  /** MetaMask: revoking the permission of one namespace revokes the whole CAIP-25 permission. */
  const metaMask = (): readonly [FakeConnector, FakeConnector] => [
    fakeConnector({ id: 'io.metamask', rdns: 'io.metamask', name: 'MetaMask' }),
    fakeConnector({ id: 'solana/MetaMask', name: 'MetaMask', namespaces: ['solana'] }),
  ]

  test('is not notified while another of its namespaces is connected [R4.1.1]', async () => {
    const [evm, solana] = metaMask()
    const { latchkey } = createTwoNamespaceWorld({ connectors: [evm, solana] })
    await connect(latchkey, 'io.metamask')
    await connect(latchkey, 'solana/MetaMask')
    await disconnect(latchkey, 'eip155')
    expect(connectionStateOf(latchkey, 'eip155').status).toBe('disconnected')
    expect(connectionStateOf(latchkey, 'solana').status).toBe('connected')
    expect([evm.calls.disconnect, solana.calls.disconnect]).toEqual([0, 0])
    await disconnect(latchkey, 'solana')
    expect([evm.calls.disconnect, solana.calls.disconnect]).toEqual([1, 1])
  })

  test('is notified in all namespaces at once [R4.1.1]', async () => {
    const [evm, solana] = metaMask()
    const { latchkey } = createTwoNamespaceWorld({ connectors: [evm, solana] })
    await connect(latchkey, 'io.metamask')
    await connect(latchkey, 'solana/MetaMask')
    await disconnect(latchkey)
    expect([evm.calls.disconnect, solana.calls.disconnect]).toEqual([1, 1])
  })

  test('is not notified of a namespace that was connected again [R4.1.1]', async () => {
    const [evm, solana] = metaMask()
    const { latchkey } = createTwoNamespaceWorld({ connectors: [evm, solana] })
    await connect(latchkey, 'io.metamask')
    await connect(latchkey, 'solana/MetaMask')
    await disconnect(latchkey, 'eip155')
    await connect(latchkey, 'io.metamask')
    await disconnect(latchkey, 'solana')
    expect([evm.calls.disconnect, solana.calls.disconnect]).toEqual([0, 0])
  })

  test('is not notified if another wallet replaces it in one namespace [R4.1.1]', async () => {
    const [evm, solana] = metaMask()
    const { latchkey } = createTwoNamespaceWorld({
      connectors: [evm, solana, fakeConnector({ id: 'other', name: 'Other' })],
    })
    await connect(latchkey, 'io.metamask')
    await connect(latchkey, 'solana/MetaMask')
    await connect(latchkey, 'other')
    expect([evm.calls.disconnect, solana.calls.disconnect]).toEqual([0, 0])
    expect(connectionStateOf(latchkey, 'solana').status).toBe('connected')
  })

  test('does not include a wallet with the same name and another reverse-DNS name [R4.1.1]', async () => {
    const [evm] = metaMask()
    const twin = fakeConnector({ id: 'twin', rdns: 'com.twin', name: 'MetaMask', namespaces: ['solana'] })
    const { latchkey } = createTwoNamespaceWorld({ connectors: [evm, twin] })
    await connect(latchkey, 'io.metamask')
    await connect(latchkey, 'twin')
    await disconnect(latchkey, 'eip155')
    expect(evm.calls.disconnect).toBe(1)
  })
})
