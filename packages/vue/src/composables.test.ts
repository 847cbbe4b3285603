import { connect, disconnect, getConnections, sendTransaction, switchNetwork, type LatchkeyEvent } from '@latchkey/core'
import {
  fakeAccount,
  fakeAdapter,
  fakeAddress,
  fakeConnector,
  fakeWorld,
  type FakeWorld,
  type FakeWorldOptions,
} from '@latchkey/core/fakes'
import type { HistoryItem, Network } from '@latchkey/protocol'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSSRApp, effectScope, nextTick, ref } from 'vue'
import { expect, onTestFinished, test } from 'vitest'
import { latchkeyPlugin } from './latchkeyPlugin.ts'
import { useSwitchAccount, useSwitchConnection } from './useAction.ts'
import { useTokens } from './useBalance.ts'
import { useEnsAvatar, useEnsName, useIdentity } from './useEnsName.ts'
import { useHistory } from './useHistory.ts'
import { useLatchkeyEvents } from './useLatchkeyEvents.ts'
import { useReadContracts } from './useReadContract.ts'
import { useWaitForTransaction } from './useWaitForTransaction.ts'
import { useWalletCalls } from './useWalletCalls.ts'

/** Calls a composable in a component of an app, until `stop` or the end of the test. */
function runIn<result>({ latchkey }: Pick<FakeWorld, 'latchkey'>, use: () => result): { result: result; stop(): void } {
  const app = createSSRApp({}).use(latchkeyPlugin(latchkey))
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const result = app.runWithContext(() => scope.run(use))
  return { result: result ?? expect.fail('the scope ended'), stop: () => scope.stop() }
}

async function connectTestWallet(options: FakeWorldOptions = {}): Promise<FakeWorld> {
  const world = fakeWorld({ connectors: [fakeConnector()], ...options })
  await connect(world.latchkey, 'fake')
  return world
}

/** A server whose responses depend on the cursor. */
async function startPageServer(pages: Readonly<Record<string, { data: readonly unknown[]; next: string | null }>>) {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '', 'http://localhost').searchParams.get('cursor') ?? '']
    if (page === undefined) response.writeHead(500)
    response.end(JSON.stringify(page))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on TCP has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function createHistoryItem(id: string): HistoryItem {
  const coin = { name: 'Coin', symbol: 'COIN', icon: null }
  return {
    id,
    metadata: {
      operationType: 'receive',
      hash: `0x${id}`,
      minedAt: '2026-01-02T03:04:05Z',
      sentFrom: '0xa',
      sentTo: '0xb',
      status: 'confirmed',
      nonce: 7,
      application: { name: 'Shop', iconUrl: null },
      chain: 'eip155:1',
    },
    transfers: [
      { fungible_info: coin, nft_info: null, direction: 'in', quantity: { numeric: '1.5' }, value: null, price: null },
    ],
  }
}

test('useHistory adds page after page, and an entry of two pages once', async () => {
  const server = await startPageServer({
    '': { data: [createHistoryItem('1'), createHistoryItem('2')], next: 'second' },
    second: { data: [createHistoryItem('2'), createHistoryItem('3')], next: null },
  })
  const { result } = runIn(await connectTestWallet({ server, projectId: '0'.repeat(32) }), useHistory)
  await result.refetch()
  expect([result.data.value.map(({ id }) => id), result.hasMore.value]).toEqual([['1', '2'], true])
  await Promise.all([result.more(), result.more()])
  expect([result.data.value.map(({ id }) => id), result.hasMore.value]).toEqual([['1', '2', '3'], false])
  await result.refetch()
  expect([result.data.value.map(({ id }) => id), result.hasMore.value]).toEqual([['1', '2'], true])
})

test('useHistory is empty after a page could not be loaded, until it starts again [R4.4.6]', async () => {
  const server = await startPageServer({ '': { data: [createHistoryItem('1')], next: 'broken' } })
  const { result } = runIn(await connectTestWallet({ server, projectId: '0'.repeat(32) }), useHistory)
  await result.refetch()
  await result.more()
  expect([result.data.value, result.status.value, result.hasMore.value]).toEqual([[], 'error', false])
  expect(result.error.value).toMatchObject({ code: 'http/status' })
  await result.refetch()
  expect([result.data.value.length, result.status.value]).toEqual([1, 'success'])
})

test('useHistory adds no page of an account that has been disconnected', async () => {
  const server = await startPageServer({
    '': { data: [createHistoryItem('1')], next: 'second' },
    second: { data: [createHistoryItem('2')], next: null },
  })
  const world = await connectTestWallet({ server, projectId: '0'.repeat(32) })
  const { result } = runIn(world, useHistory)
  await result.refetch()
  const second = result.more()
  await disconnect(world.latchkey)
  await nextTick()
  await second
  expect([result.data.value, result.hasMore.value]).toEqual([[], false])
})

test('useWaitForTransaction waits on the chain on which the hash appeared', async () => {
  const adapter = fakeAdapter({ minesManually: true })
  const world = await connectTestWallet({ adapters: [adapter] })
  const waited: string[] = []
  const { waitForReceipt } = adapter
  adapter.waitForReceipt = (network, ...rest) => {
    waited.push(network.caipNetworkId)
    return waitForReceipt(network, ...rest)
  }
  const hash = ref<string>()
  const { result } = runIn(world, () => useWaitForTransaction(() => ({ hash: hash.value })))
  await result.refetch()
  expect([waited, result.status.value]).toEqual([[], 'pending'])
  hash.value = await sendTransaction(world.latchkey, { to: fakeAddress('eip155'), value: 0n })
  await switchNetwork(world.latchkey, 'eip155:2')
  adapter.mine(hash.value)
  await result.refetch()
  expect(new Set(waited)).toEqual(new Set(['eip155:1']))
  expect(result.data.value).toMatchObject({ hash: hash.value })
})

test('nothing is read without an account, a name or a call', async () => {
  const world = fakeWorld({ connectors: [fakeConnector()] })
  const { result } = runIn(world, () => [
    useTokens(),
    useEnsName(),
    useEnsAvatar({ name: null }),
    useIdentity(),
    useReadContracts(undefined),
  ])
  await Promise.all(result.map(({ refetch }) => refetch()))
  expect(new Set(result.map(({ status }) => status.value))).toEqual(new Set(['pending']))
})

test('useTokens and useIdentity read about the connected account, and are empty without a server', async () => {
  const { result } = runIn(await connectTestWallet(), () => [useTokens(), useIdentity()])
  await Promise.all(result.map(({ refetch }) => refetch()))
  expect(result.map(({ data }) => data.value)).toEqual([[], {}])
})

test('useEnsName and useEnsAvatar read the chain that was named', async () => {
  const asked: unknown[] = []
  const adapter = fakeAdapter()
  const records = {
    lookUpName: async ({ id }: Network, address: string) => (asked.push(id, address), 'visitor.eth' as const),
    lookUpAvatar: async ({ id }: Network, name: string) => (asked.push(id, name), false as const),
  }
  const send = (): never => expect.fail('names are read without a transfer')
  const others = { readAsset: send, getBalance: send, estimateFee: send, inspectReceiver: send, send, follow: send }
  adapter.transfers = async () => ({ ...others, ...records })
  const address = ref(fakeAddress('eip155'))
  const { result } = runIn(await connectTestWallet({ adapters: [adapter] }), () => {
    const name = useEnsName(() => ({ address: address.value, chainId: 'eip155:2' }))
    return { name, avatar: useEnsAvatar(() => ({ name: name.data.value, chainId: 'eip155:2' })) }
  })
  await result.name.refetch()
  await result.avatar.refetch()
  expect(new Set(asked)).toEqual(new Set([2, address.value, 'visitor.eth']))
  expect([result.name.data.value, result.avatar.data.value]).toEqual(['visitor.eth', null])
})

test('useSwitchConnection and useSwitchAccount select a wallet and an account', async () => {
  const accounts = [fakeAccount('eip155:1'), `eip155:1:0x${'2'.repeat(40)}`] as const
  const other = fakeConnector({ id: 'other', name: 'Other', accounts: [fakeAccount('eip155:1', 9)] })
  const world = await connectTestWallet({ connectors: [fakeConnector({ accounts }), other], multiWallet: true })
  await connect(world.latchkey, 'other')
  const { result } = runIn(world, () => ({ connection: useSwitchConnection(), account: useSwitchAccount() }))
  const getPrimary = (): unknown => getConnections(world.latchkey, 'eip155')[0]
  expect(getPrimary()).toMatchObject({ connectorId: 'other' })
  await result.connection.mutateAsync({ namespace: 'eip155', connectorId: 'fake' })
  expect(getPrimary()).toMatchObject({ connectorId: 'fake', account: accounts[0] })
  await result.account.mutateAsync(accounts[1])
  expect(getPrimary()).toMatchObject({ connectorId: 'fake', account: accounts[1] })
  await expect(result.account.mutateAsync(`eip155:1:0x${'3'.repeat(40)}`)).rejects.toMatchObject({
    code: 'account/not-found',
  })
  expect(result.account.status.value).toBe('error')
})

test('useWalletCalls reports that a network has no batches', async () => {
  const { result } = runIn(await connectTestWallet(), useWalletCalls)
  const failure = { code: 'request/not-allowed' }
  await expect(result.sendCalls({ calls: [] })).rejects.toMatchObject(failure)
  await expect(result.getCapabilities()).rejects.toMatchObject(failure)
  await expect(result.getCallsStatus('id')).rejects.toMatchObject(failure)
  await expect(result.waitForCalls('id')).rejects.toMatchObject(failure)
  expect([result.status.value, result.error.value]).toMatchObject(['error', failure])
})

test('useLatchkeyEvents calls the function until its component ends', async () => {
  const world = fakeWorld({ connectors: [fakeConnector()] })
  const types: LatchkeyEvent['type'][] = []
  const { stop } = runIn(world, () => {
    useLatchkeyEvents(({ type }) => types.push(type))
    return true
  })
  await connect(world.latchkey, 'fake')
  expect(types).toContain('connect')
  const count = types.length
  stop()
  await disconnect(world.latchkey)
  expect(types).toHaveLength(count)
})
