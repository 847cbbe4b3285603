import {
  isAccountId,
  isNamespace,
  parseAccountId,
  parseChainId,
  type AccountId,
  type ChainId,
  type Network,
} from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Connection, ConnectionListener, Connector, ConnectRequest } from '../contracts/connector.ts'
import { requestFromWallet } from '../provider/requestFromWallet.ts'
import { getRejection } from './waiting.ts'

type Awaitable<value> = value | Promise<value>

/** The connector under test, and functions that act as the user in its wallet. */
export type ConnectorWorld = {
  /** A new connector. Its wallet does not know the app. */
  connector: Connector
  /** The networks that the app offers, in the connector's namespaces. */
  networks: readonly Network[]
  /** Approves the pending or the next connection request. */
  approve(): Awaitable<void>
  /** Rejects the pending or the next connection request. */
  decline(): Awaitable<void>
  /** Selects other accounts in the wallet, and returns them. Omitted if the wallet reloads the page instead. */
  selectAccounts?(): Awaitable<readonly AccountId[]>
  /** Selects another chain in the wallet, and returns it. Omitted likewise. */
  selectChain?(): Awaitable<ChainId>
  /** Disconnects in the wallet. Omitted likewise. */
  leave?(): Awaitable<void>
  /** The same connector after the page was loaded again. */
  reload(): Awaitable<Connector>
  /** Stops everything that the fixture started. */
  end?(): Awaitable<void>
}

/**
 * The contract suite of connectors.
 *
 * @param make creates the fixture of each test
 * @example describeConnector('walletConnect', async () => ({ connector: walletConnect({ … }), … }))
 */
export function describeConnector(name: string, make: () => Awaitable<ConnectorWorld>): void {
  describe(`${name} is a Connector`, () => {
    let world: ConnectorWorld
    beforeEach(async () => {
      world = await make()
    })
    afterEach(() => world.end?.())

    describeConnecting(() => world)
    describeRestoring(() => world)
    describeWalletEvents(() => world)
    describeProviders(() => world)
  })
}

function describeConnecting(get: () => ConnectorWorld): void {
  test('has an id, a name and namespaces', () => {
    const { id, name: title, icon, namespaces } = get().connector
    expect(id).not.toBe('')
    expect(title).not.toBe('')
    expect(icon ?? 'data:').toMatch(/^data:/)
    expect(namespaces.length).toBeGreaterThan(0)
    expect(namespaces.every(isNamespace)).toBe(true)
  })

  test('grants each namespace once, with accounts and a chain of that namespace', async () => {
    const world = get()
    const granted = await connectApproved(world)
    const namespaces = granted.map(({ namespace }) => namespace)
    expect(new Set(namespaces).size).toBe(namespaces.length)
    for (const connection of granted) {
      expect(world.connector.namespaces).toContain(connection.namespace)
      expectWellFormed(connection)
    }
  })

  test('passes on a pairing URI if it uses one', async () => {
    const world = get()
    const uris: string[] = []
    await connectApproved(world, { onUri: (uri) => uris.push(uri) })
    const pairs = world.connector.type === 'walletConnect'
    expect(uris.every((uri) => uri.startsWith('wc:'))).toBe(true)
    expect(uris.length > 0).toBe(pairs)
  })

  test('rejects when the user declines, and can connect again', async () => {
    const world = get()
    const failure = getRejection(sendConnectRequest(world))
    await world.decline()
    expect(await failure).toMatchObject({ code: 'connection/rejected' })
    expect(await restoreConnections(world)).toEqual([])
    expect((await connectApproved(world)).length).toBeGreaterThan(0)
  })

  test('rejects when the attempt is aborted', async () => {
    const attempt = new AbortController()
    const failure = getRejection(sendConnectRequest(get(), { signal: attempt.signal }))
    attempt.abort()
    expect(await failure).toMatchObject({ code: 'connection/aborted' })
  })

  test('sends no request when the signal is already aborted', async () => {
    const uris: string[] = []
    const request = { signal: AbortSignal.abort(), onUri: (uri: string) => uris.push(uri) }
    await expect(sendConnectRequest(get(), request)).rejects.toMatchObject({ code: 'connection/aborted' })
    expect(uris).toEqual([])
  })
}

function describeRestoring(get: () => ConnectorWorld): void {
  test('restores nothing before a connection', async () => {
    expect(await restoreConnections(get())).toEqual([])
  })

  test('restores a connection after a reload without a prompt', async () => {
    const world = get()
    const before = await connectApproved(world)
    const after = await restoreConnections(world, await world.reload())
    for (const connection of after) expectWellFormed(connection)
    expect(after.map(({ accounts }) => accounts)).toEqual(before.map(({ accounts }) => accounts))
  })

  test('restores nothing after a disconnect', async () => {
    const world = get()
    await connectApproved(world)
    await world.connector.disconnect()
    expect(await restoreConnections(world)).toEqual([])
    expect(await restoreConnections(world, await world.reload())).toEqual([])
  })

  test('disconnects without an error when nothing is connected', async () => {
    const world = get()
    await expect(world.connector.disconnect()).resolves.toBeUndefined()
    await connectApproved(world)
    await world.connector.disconnect()
    await expect(world.connector.disconnect()).resolves.toBeUndefined()
  })
}

function describeWalletEvents(get: () => ConnectorWorld): void {
  test('reports the accounts and chain that the user selects in the wallet', async () => {
    const world = get()
    if (world.selectAccounts === undefined || world.selectChain === undefined) return
    const [connection] = await connectApproved(world)
    const events = follow(connection)
    const accounts = await world.selectAccounts()
    await expect.poll(() => events.accounts.at(-1)).toEqual(accounts)
    const chainId = await world.selectChain()
    await expect.poll(() => events.chains.at(-1)).toBe(chainId)
  })

  test('reports a disconnect once', async () => {
    const world = get()
    if (world.leave === undefined) return
    const [connection] = await connectApproved(world)
    const events = follow(connection)
    await world.leave()
    await expect.poll(() => events.departures).toBe(1)
    expect(await restoreConnections(world)).toEqual([])
  })

  test('sends no events after unsubscribing', async () => {
    const world = get()
    if (world.leave === undefined) return
    const [connection] = await connectApproved(world)
    const events = follow(connection)
    const witness = follow(connection)
    events.stop()
    await world.leave()
    await expect.poll(() => witness.departures).toBe(1)
    expect(events.departures).toBe(0)
  })
}

function describeProviders(get: () => ConnectorWorld): void {
  test('rejects unsupported methods with an error code', async () => {
    const [connection] = await connectApproved(get())
    const outcome = requestFromWallet(connection, { method: 'latchkey_noSuchMethod' })
    await expect(outcome).rejects.toMatchObject({ code: expect.stringMatching(/^(request|wallet)\//) })
  })

  test('has a provider without internals, with events and numbers as error codes in eip155', async () => {
    const connections = await connectApproved(get())
    const evm = connections.find(({ namespace }) => namespace === 'eip155')
    if (evm === undefined) return
    expect(Object.keys(evm.provider).toSorted()).toEqual(['on', 'removeListener', 'request'])
    expect(await getRejection(evm.provider.request({ method: 'latchkey_noSuchMethod' }))).toMatchObject({
      code: expect.any(Number),
      data: { code: expect.stringMatching(/^(request|wallet)\//) },
    })
  })
}

function sendConnectRequest(
  { connector, networks }: ConnectorWorld,
  request: Partial<ConnectRequest> = {},
): ReturnType<Connector['connect']> {
  return connector.connect({ networks, signal: new AbortController().signal, ...request })
}

async function connectApproved(
  world: ConnectorWorld,
  request: Partial<ConnectRequest> = {},
): ReturnType<Connector['connect']> {
  const connecting = sendConnectRequest(world, request)
  await world.approve()
  return connecting
}

function restoreConnections(
  world: ConnectorWorld,
  connector: Connector = world.connector,
): Promise<readonly Connection[]> {
  return connector.restore({ networks: world.networks, signal: new AbortController().signal })
}

function expectWellFormed(connection: Connection): void {
  const { namespace, accounts, chainId, approvedChains, wallet } = connection
  expect(accounts.length).toBeGreaterThan(0)
  expect(new Set(accounts).size).toBe(accounts.length)
  for (const account of accounts) {
    expect(isAccountId(account)).toBe(true)
    expect(parseAccountId(account).namespace).toBe(namespace)
  }
  expect(parseChainId(chainId).namespace).toBe(namespace)
  expect(approvedChains === 'all' || approvedChains.includes(chainId)).toBe(true)
  expect(wallet.name).not.toBe('')
}

type Received = { accounts: Array<readonly AccountId[]>; chains: ChainId[]; departures: number; stop: () => void }

function follow(connection: Connection): Received {
  const received: Received = { accounts: [], chains: [], departures: 0, stop: () => {} }
  const listener: ConnectionListener = {
    accountsChanged: (accounts) => void received.accounts.push(accounts),
    chainChanged: (chainId) => void received.chains.push(chainId),
    disconnected: () => void (received.departures += 1),
  }
  received.stop = connection.listen(listener)
  return received
}
