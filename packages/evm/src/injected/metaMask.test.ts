import type { Connection, Connector } from '@latchkey/core'
import { getRejection } from '@latchkey/core/testing'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { anvil as anvilChain, type Chain } from 'viem/chains'
import { evm } from '../evm.ts'
import { alice, bob, createTestExtension } from '../testing/createTestExtension.ts'
import { startMetaMaskExtension, type MetaMaskOptions } from '../testing/metaMaskExtension.ts'

// These tests run the page provider and the permission handlers of MetaMask (MIT), as they are published.

let anvil: Anvil
beforeAll(async () => void (anvil = await startAnvil()))
afterAll(() => anvil.stop())
afterEach(() => vi.unstubAllGlobals())

const other: Chain = { ...anvilChain, id: 31_338, name: 'Other' }
const request = { networks: [], signal: new AbortController().signal }

function setUp(options: Partial<MetaMaskOptions> = {}) {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  const keys = createTestExtension(anvil.url, { permitted: true })
  const metaMask = startMetaMaskExtension({ keys, accounts: [alice, bob], chains: [anvilChain.id], ...options })
  const adapter = evm({ chains: [anvilChain, other], page, legacy: false })
  const found: Connector[] = []
  onTestFinished(adapter.discover?.((connector) => found.push(connector)) ?? (() => {}))
  const [connector] = found
  if (connector === undefined) throw new Error('MetaMask was not found.')
  return { adapter, connector, metaMask }
}

async function setUpConnected(options?: Partial<MetaMaskOptions>) {
  const world = setUp(options)
  const [connection] = await world.connector.connect(request)
  return { ...world, connection, ...follow(connection) }
}

function follow(connection: Connection) {
  const accounts: (readonly string[])[] = []
  const chains: string[] = []
  const ends: unknown[] = []
  const stop = connection.listen({
    accountsChanged: (next) => void accounts.push(next),
    chainChanged: (next) => void chains.push(next),
    disconnected: (end) => void ends.push(end),
  })
  onTestFinished(stop)
  return { accounts, chains, ends }
}

const toId = (address: string, chainId: number = anvilChain.id): string => `eip155:${chainId}:${address}`

test('MetaMask is discovered, and connects with the accounts that the user chose', async () => {
  const { connector, metaMask } = setUp()
  expect(connector).toMatchObject({ name: 'MetaMask', rdns: 'io.metamask' })
  metaMask.chooseAccounts(bob, alice)
  const [connection] = await connector.connect(request)
  expect(connection.accounts).toEqual([toId(bob), toId(alice)])
})

test('a connection that the user declined in MetaMask is rejected, and the next attempt succeeds', async () => {
  const { connector, metaMask } = setUp()
  metaMask.decide('reject')
  expect(await getRejection(connector.connect(request))).toMatchObject({ code: 'connection/rejected' })
  metaMask.decide('approve')
  expect((await connector.connect(request))[0].accounts).toEqual([toId(alice)])
})

test('MetaMask signs messages and sends transactions, and both can be declined', async () => {
  const { adapter, connection, metaMask } = await setUpConnected()
  const [account] = connection.accounts
  const signature = await adapter.signMessage(connection, account, 'Hello')
  expect(await verifyMessage({ address: alice, message: 'Hello', signature: signature as `0x${string}` })).toBe(true)
  const payment = { to: bob, value: 1n }
  expect(await adapter.sendTransaction(connection, account, payment)).toMatch(/^0x[\da-f]{64}$/)
  metaMask.decide('reject')
  for (const declined of [
    adapter.signMessage(connection, account, 'Hello'),
    adapter.sendTransaction(connection, account, payment),
  ]) {
    expect(await getRejection(declined)).toMatchObject({ code: 'request/rejected' })
  }
})

test.each([
  ['4902', undefined],
  ['4001 with "not supported"', { code: 4001, message: 'Chain 31338 is not supported.' }],
])('a network that MetaMask does not know (%s) is added', async (_, unknownChain) => {
  const { adapter, connection, chains } = await setUpConnected({ unknownChain })
  const network = adapter.networks.find(({ id }) => id === other.id)
  if (network === undefined) throw new Error('The network is missing.')
  await adapter.switchNetwork?.(connection, network)
  await expect.poll(() => chains).toEqual(['eip155:31338'])
})

test('a network switch that the user declined in MetaMask (4001) is rejected, and nothing is added', async () => {
  const { adapter, connection, chains, metaMask } = await setUpConnected({ chains: [anvilChain.id, other.id] })
  const network = adapter.networks.find(({ id }) => id === other.id)
  if (network === undefined) throw new Error('The network is missing.')
  metaMask.decide('reject')
  expect(await getRejection(Promise.resolve(adapter.switchNetwork?.(connection, network)))).toMatchObject({
    code: 'request/rejected',
  })
  expect(chains).toEqual([])
})

test('a switch of the network in MetaMask is followed', async () => {
  const { accounts, chains, metaMask } = await setUpConnected({ chains: [anvilChain.id, other.id] })
  metaMask.switchChain(other.id)
  await expect.poll(() => chains).toEqual(['eip155:31338'])
  await expect.poll(() => accounts.at(-1)).toEqual([toId(alice, other.id)])
})

test('locking MetaMask ends the connection as locked, and unlocking restores it without a request', async () => {
  const { connector, ends, metaMask } = await setUpConnected()
  metaMask.lock()
  await expect.poll(() => ends).toEqual(['locked'])
  expect(await getRejection(Promise.resolve(connector.restore?.(request)))).toMatchObject({ code: 'wallet/locked' })
  const unlocked = vi.fn()
  onTestFinished((await connector.watchUnlock?.(unlocked)) ?? (() => {}))
  metaMask.decide('reject')
  metaMask.unlock()
  await expect.poll(() => unlocked.mock.calls.length).toBe(1)
  const [connection] = (await connector.restore?.(request)) ?? []
  expect(connection?.accounts).toEqual([toId(alice)])
})

test('connecting a locked MetaMask waits until the user unlocks it', async () => {
  const { connector, metaMask } = setUp()
  metaMask.lock()
  const connecting = connector.connect(request)
  metaMask.unlock()
  expect((await connecting)[0].accounts).toEqual([toId(alice)])
})

test('a site that the user disconnects in MetaMask is disconnected', async () => {
  const { connector, ends, metaMask } = await setUpConnected()
  metaMask.revoke()
  await expect.poll(() => ends).toEqual(['account-removed'])
  expect(await connector.restore?.(request)).toEqual([])
})

test('disconnecting revokes the whole CAIP-25 permission of MetaMask, once', async () => {
  const { connector, metaMask } = await setUpConnected()
  expect(metaMask.permissions()).toEqual(['endowment:caip25'])
  await connector.disconnect()
  expect(metaMask.permissions()).toEqual([])
  await connector.disconnect()
  expect(await connector.restore?.(request)).toEqual([])
})

test('other accounts that the user chooses in MetaMask are followed', async () => {
  const { connection, accounts, metaMask } = await setUpConnected()
  metaMask.chooseAccounts(bob, alice)
  await connection.chooseAccounts?.()
  await expect.poll(() => accounts.at(-1)).toEqual([toId(bob), toId(alice)])
  metaMask.decide('reject')
  expect(await getRejection(Promise.resolve(connection.chooseAccounts?.()))).toMatchObject({ code: 'request/rejected' })
})
