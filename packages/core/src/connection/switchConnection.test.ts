import { formatAccountId, type AccountId } from '@latchkey/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { createLatchkey } from '../instance/latchkey.ts'
import { getAccount, connectionStateOf } from '../state/getAccount.ts'
import {
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  flushTasks,
  type FakeConnector,
  type FakeConnectorOptions,
  type FakeStorage,
  type FakeWorld,
} from '../testing/fakes.ts'
import type { Connector } from '../contracts/connector.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { getAccounts, getConnections } from './getConnections.ts'
import { requireWalletOf, switchAccount, switchConnection } from './switchConnection.ts'
import { start } from './start.ts'
import { switchNetwork } from '../network/switchNetwork.ts'

/** Returns three accounts of a wallet. No other wallet has them. */
function accountsOf(wallet: number): [AccountId, AccountId, AccountId] {
  return [
    fakeAccount('eip155:1', wallet * 10),
    fakeAccount('eip155:1', wallet * 10 + 1),
    fakeAccount('eip155:1', wallet * 10 + 2),
  ]
}

function createThreeWallets(options: FakeConnectorOptions = {}): [FakeConnector, FakeConnector, FakeConnector] {
  const wallet = (id: string, index: number): FakeConnector =>
    fakeConnector({ id, name: id.toUpperCase(), accounts: accountsOf(index), ...options })
  return [wallet('a', 1), wallet('b', 2), wallet('c', 3)]
}

/** A page that allows several wallets, with these wallets connected. */
async function connectTestWallet(
  ...ids: string[]
): Promise<FakeWorld & { wallets: ReturnType<typeof createThreeWallets> }> {
  const wallets = createThreeWallets()
  const world = fakeWorld({ connectors: wallets, multiWallet: true })
  start(world.latchkey)
  for (const id of ids) await connect(world.latchkey, id)
  return { ...world, wallets }
}

/** The user's next visit, or another tab. */
function visit(storage: FakeStorage, options: FakeConnectorOptions = { restores: true }): FakeWorld {
  const world = fakeWorld({ connectors: createThreeWallets(options), multiWallet: true, storage })
  start(world.latchkey)
  return world
}

function idsOf({ latchkey }: FakeWorld): readonly string[] {
  return getConnections(latchkey, 'eip155').map(({ connectorId }) => connectorId)
}

// This code is loaded on demand, which an injected clock cannot advance.
beforeAll(() => import('./lazyActions.ts'))

describe('several wallets in one namespace', () => {
  test('stay connected together, the last connected first', async () => {
    const world = await connectTestWallet('a', 'b', 'c')
    expect(idsOf(world)).toEqual(['c', 'b', 'a'])
    expect(getAccount(world.latchkey)).toMatchObject({ connectorId: 'c', account: fakeAccount('eip155:1', 30) })
    expect(world.wallets.map(({ calls }) => calls.disconnect)).toEqual([0, 0, 0])
  })

  test('replace each other when the app allows only one', async () => {
    const wallets = createThreeWallets()
    const { latchkey } = fakeWorld({ connectors: wallets })
    await connect(latchkey, 'a')
    await connect(latchkey, 'b')
    expect(getConnections(latchkey)).toMatchObject([{ connectorId: 'b', primary: true, wallet: { name: 'B' } }])
    expect(wallets.map(({ calls }) => calls.disconnect)).toEqual([1, 0, 0])
  })

  test('are switched without a wallet request, and the app is notified', async () => {
    const world = await connectTestWallet('a', 'b')
    world.events.length = 0
    switchConnection(world.latchkey, { namespace: 'eip155', connectorId: 'a' })
    expect(idsOf(world)).toEqual(['a', 'b'])
    expect(world.events).toEqual([{ type: 'account', account: fakeAccount('eip155:1', 10) }])
    expect(world.wallets.flatMap(({ requests }) => requests)).toEqual([])
  })

  test('are each followed: an event of one changes that one only', async () => {
    const world = await connectTestWallet('a', 'b')
    world.wallets[0].emitChain('eip155:2')
    world.wallets[0].emitAccounts([fakeAccount('eip155:2', 12)])
    expect(getConnections(world.latchkey)).toMatchObject([
      { connectorId: 'b', chainId: 'eip155:1', account: fakeAccount('eip155:1', 20) },
      { connectorId: 'a', chainId: 'eip155:2', account: fakeAccount('eip155:2', 12) },
    ])
    expect(world.events.filter(({ type }) => type !== 'connect')).toEqual([])
  })

  test('are disconnected one by one: the next takes the place of the primary one', async () => {
    const world = await connectTestWallet('a', 'b', 'c')
    await disconnect(world.latchkey, { namespace: 'eip155', connectorId: 'c' })
    expect(idsOf(world)).toEqual(['b', 'a'])
    expect(world.wallets.map(({ calls }) => calls.disconnect)).toEqual([0, 0, 1])
    expect(world.events.slice(-2)).toEqual([
      { type: 'wallet-left', namespace: 'eip155', connectorId: 'c', by: 'user' },
      { type: 'account', account: fakeAccount('eip155:1', 20) },
    ])
    await disconnect(world.latchkey, { namespace: 'eip155', connectorId: 'a' })
    expect(idsOf(world)).toEqual(['b'])
    await disconnect(world.latchkey, { namespace: 'eip155', connectorId: 'b' })
    expect(connectionStateOf(world.latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: 'user' })
    expect(world.latchkey.internal.memory.connections()).toEqual({})
  })

  test('are all disconnected with the namespace, with one event', async () => {
    const world = await connectTestWallet('a', 'b', 'c')
    world.events.length = 0
    await disconnect(world.latchkey, 'eip155')
    expect(getConnections(world.latchkey)).toEqual([])
    expect(world.wallets.map(({ calls }) => calls.disconnect)).toEqual([1, 1, 1])
    expect(world.events).toEqual([{ type: 'disconnect', namespace: 'eip155', by: 'user' }])
  })

  test('keep the others when one disconnects by itself', async () => {
    const world = await connectTestWallet('a', 'b')
    world.wallets[1].leave()
    expect(idsOf(world)).toEqual(['a'])
    world.wallets[0].leave()
    expect(connectionStateOf(world.latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: 'wallet' })
  })

  test('are listed once when connected again', async () => {
    const world = await connectTestWallet('a', 'b', 'a')
    expect(idsOf(world)).toEqual(['a', 'b'])
  })

  test('are found by an account that they share, on any chain', async () => {
    const { latchkey } = await connectTestWallet('a', 'b')
    const [, account] = accountsOf(1)
    expect(requireWalletOf(latchkey, account).connectorId).toBe('a')
    expect(requireWalletOf(latchkey, fakeAccount('eip155:137', 11)).account).toBe(account)
  })

  test("can't be switched to unless they are connected and share the account", async () => {
    const { latchkey } = await connectTestWallet('a')
    for (const wrong of [
      () => switchConnection(latchkey, { namespace: 'eip155', connectorId: 'b' }),
      () => switchConnection(latchkey, { namespace: 'eip155', connectorId: 'a', account: fakeAccount('eip155:1', 99) }),
      () => switchAccount(latchkey, fakeAccount('eip155:1', 99)),
      () => requireWalletOf(latchkey, fakeAccount('eip155:1', 99)),
    ]) {
      expect(wrong).toThrow(expect.objectContaining({ code: 'account/not-found' }))
    }
  })
})

test('switching rejects without any namespace [R8.3.3]', () => {
  const latchkey = createLatchkey({ adapters: [], storage: fakeStorage() })
  expect(() => switchConnection(latchkey, { connectorId: 'a' })).toThrow('Chain is required to switch the connection')
})

describe('the accounts of wallets', () => {
  test('are all listed, with the details of their wallets, and one is selected [R3.3]', async () => {
    const [payment, ordinals]: [AccountId, AccountId] = [
      formatAccountId({ chainId: 'bip122:1', address: 'bc1payment' }),
      formatAccountId({ chainId: 'bip122:1', address: 'bc1ordinals' }),
    ]
    const wallet = fakeConnector({
      namespaces: ['bip122'],
      accounts: [ordinals, payment],
      details: (account) => ({
        type: account === payment ? 'payment' : 'ordinals',
        publicKey: '02ab',
        path: "m/84'/0'/0'/0/0",
      }),
    })
    const { latchkey } = fakeWorld({ adapters: [fakeAdapter({ namespace: 'bip122' })], connectors: [wallet] })
    await connect(latchkey, 'fake')
    expect(getAccounts(latchkey)).toMatchObject([
      { account: ordinals, type: 'ordinals', selected: false },
      { account: payment, type: 'payment', selected: true, publicKey: '02ab', path: "m/84'/0'/0'/0/0" },
    ])
    expect(getAccount(latchkey)).toMatchObject({ account: payment, type: 'payment', publicKey: '02ab' })
  })

  test.each([
    ['bip122', undefined, 'payment'],
    ['bip122', 'ordinals', 'ordinals'],
    ['eip155', undefined, 'smartAccount'],
    ['eip155', 'eoa', 'eoa'],
  ] as const)('in %s, with the preference %s, start with the %s one [R6.1]', async (namespace, wanted, type) => {
    const types = namespace === 'bip122' ? (['ordinals', 'payment'] as const) : (['eoa', 'smartAccount'] as const)
    const accounts = types.map((_, index) => fakeAccount(`${namespace}:1`, index))
    const connector = fakeConnector({
      namespaces: [namespace],
      accounts,
      details: (account) => ({ type: types[accounts.indexOf(account)] }),
    })
    const { latchkey } = fakeWorld({
      adapters: [fakeAdapter({ namespace })],
      connectors: [connector],
      accountTypes: wanted === undefined ? {} : { [namespace]: wanted },
    })
    await connect(latchkey, 'fake')
    expect(getAccount(latchkey)).toMatchObject({ type, account: accounts[types.indexOf(type as never)] })
  })

  test('can be selected in the app, until the wallet selects another, even after a chain change', async () => {
    const { latchkey, wallets, events } = await connectTestWallet('a')
    switchAccount(latchkey, fakeAccount('eip155:1', 12))
    expect(getAccount(latchkey)).toMatchObject({ account: fakeAccount('eip155:1', 12) })
    expect(events.at(-1)).toEqual({ type: 'account', account: fakeAccount('eip155:1', 12) })
    await switchNetwork(latchkey, 'eip155:2')
    expect(getAccount(latchkey)).toMatchObject({ account: fakeAccount('eip155:2', 12) })
    wallets[0].emitAccounts([fakeAccount('eip155:2', 10), fakeAccount('eip155:2', 12)])
    expect(getAccount(latchkey)).toMatchObject({ account: fakeAccount('eip155:2', 12) })
    wallets[0].emitAccounts([fakeAccount('eip155:2', 11), fakeAccount('eip155:2', 12)])
    expect(getAccount(latchkey)).toMatchObject({ account: fakeAccount('eip155:2', 11) })
  })

  test('that a wallet no longer shares are deselected', async () => {
    const { latchkey, wallets } = await connectTestWallet('a')
    switchAccount(latchkey, fakeAccount('eip155:1', 12))
    wallets[0].emitAccounts([fakeAccount('eip155:1', 10), fakeAccount('eip155:1', 11)])
    expect(getAccount(latchkey)).toMatchObject({ account: fakeAccount('eip155:1', 10) })
  })

  test('of a secondary wallet make that wallet primary', async () => {
    const world = await connectTestWallet('a', 'b')
    switchAccount(world.latchkey, fakeAccount('eip155:1', 11))
    expect(idsOf(world)).toEqual(['a', 'b'])
    expect(getAccount(world.latchkey)).toMatchObject({ account: fakeAccount('eip155:1', 11) })
  })

  test('of another namespace, sent by a hostile wallet, are ignored', async () => {
    const { latchkey, wallets } = await connectTestWallet('a')
    const [connection] = [...latchkey.internal.tasks.followed.keys()]
    expect(connection?.namespace).toBe('eip155')
    const before = connectionStateOf(latchkey, 'eip155')
    wallets[0].emitChain('eip155:1')
    expect(connectionStateOf(latchkey, 'eip155')).toBe(before)
  })
})

describe('three wallets with three accounts each', () => {
  test('are restored unchanged after every reload', async () => {
    const first = await connectTestWallet('a', 'b', 'c')
    let { storage } = first
    const expected = (): unknown =>
      getConnections(first.latchkey).map(({ connectorId, account }) => ({ connectorId, account }))
    const steps: ReadonlyArray<(world: FakeWorld) => unknown> = [
      () => undefined,
      ({ latchkey }) => switchConnection(latchkey, { namespace: 'eip155', connectorId: 'a' }),
      ({ latchkey }) => switchAccount(latchkey, fakeAccount('eip155:1', 22)),
      ({ latchkey }) => switchAccount(latchkey, fakeAccount('eip155:1', 31)),
      ({ latchkey }) => disconnect(latchkey, { namespace: 'eip155', connectorId: 'b' }),
      ({ latchkey }) => disconnect(latchkey, { namespace: 'eip155', connectorId: 'c' }),
    ]
    for (const step of steps) {
      await step(first)
      const next = visit(storage.otherTab())
      await flushTasks()
      expect(getConnections(next.latchkey).map(({ connectorId, account }) => ({ connectorId, account }))).toEqual(
        expected(),
      )
      storage = first.storage
    }
  })

  test('are the same in two tabs after every action in one', async () => {
    const here = await connectTestWallet('a')
    const there = visit(here.storage.otherTab())
    await flushTasks()
    const accountsOfBoth = async (): Promise<readonly string[]> => {
      await flushTasks()
      expect(idsOf(there)).toEqual(idsOf(here))
      expect(getAccount(there.latchkey)).toMatchObject({ status: getAccount(here.latchkey).status })
      const [one, other] = [here, there].map(({ latchkey }) => getConnections(latchkey)[0]?.account)
      expect(other).toBe(one)
      return idsOf(there)
    }
    expect(await accountsOfBoth()).toEqual(['a'])
    await connect(here.latchkey, 'b')
    expect(await accountsOfBoth()).toEqual(['b', 'a'])
    switchAccount(here.latchkey, fakeAccount('eip155:1', 12))
    expect(await accountsOfBoth()).toEqual(['a', 'b'])
    await disconnect(here.latchkey, { namespace: 'eip155', connectorId: 'a' })
    expect(await accountsOfBoth()).toEqual(['b'])
    await disconnect(here.latchkey)
    expect(await accountsOfBoth()).toEqual([])
    expect(connectionStateOf(there.latchkey, 'eip155')).toEqual({ status: 'disconnected', reason: 'other-tab' })
  })

  test('one of which is locked: the next one becomes primary, and the locked one stays stored', async () => {
    const { storage } = await connectTestWallet('a', 'b')
    const [a, b, c] = createThreeWallets({ restores: true })
    const world = fakeWorld({ connectors: [a, c], multiWallet: true, storage })
    start(world.latchkey)
    await flushTasks()
    expect(idsOf(world)).toEqual(['a'])
    world.clock.advance(2_000)
    await flushTasks()
    expect(getAccount(world.latchkey)).toMatchObject({ status: 'connected', connectorId: 'a' })
    world.adapter.announce(b)
    await flushTasks()
    expect(idsOf(world).toSorted()).toEqual(['a', 'b'])
  })
})

test('a wallet that the user connects while it is restored is listed once', async () => {
  const { storage } = await connectTestWallet('a', 'b')
  const [a, b] = createThreeWallets({ restores: true })
  let respond = (): void => {}
  const slow: Connector = {
    ...a,
    async restore(request) {
      await new Promise<void>((resolve) => (respond = resolve))
      return a.restore(request)
    },
  }
  const world = fakeWorld({ connectors: [slow, b], multiWallet: true, storage })
  start(world.latchkey)
  await flushTasks()
  await connect(world.latchkey, 'a')
  expect(idsOf(world)).toEqual(['a', 'b'])
  respond()
  await flushTasks()
  expect(idsOf(world)).toEqual(['a', 'b'])
  expect(world.latchkey.internal.tasks.followed.size).toBe(2)
})

test('several stored wallets are harmless when the app allows only one again', async () => {
  const { storage } = await connectTestWallet('a', 'b')
  const world = fakeWorld({ connectors: createThreeWallets({ restores: true }), storage })
  start(world.latchkey)
  await flushTasks()
  expect(idsOf(world)).toEqual(['b'])
  await connect(world.latchkey, 'c')
  expect(world.latchkey.internal.memory.remembered('eip155')).toMatchObject([{ connectorId: 'c' }])
})

test('an oversized stored list is truncated', async () => {
  const one = { account: fakeAccount('eip155:1'), chainId: 'eip155:1' }
  const others = Array.from({ length: 1_000 }, (_, index) => ({ ...one, connectorId: `w${index}` }))
  const storage = fakeStorage({
    values: { '@latchkey/connections': JSON.stringify({ eip155: { ...one, connectorId: 'w', others } }) },
  })
  const { latchkey } = fakeWorld({ storage, connectors: createThreeWallets(), multiWallet: true })
  start(latchkey)
  await connect(latchkey, 'a')
  expect(latchkey.internal.memory.remembered('eip155').length).toBeLessThanOrEqual(8)
})
