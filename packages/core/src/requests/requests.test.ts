import { requestError } from '@latchkey/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CallsStatus, WalletCalls } from '../contracts/adapter.ts'
import { getAccount, connectionStateOf } from '../state/getAccount.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeAddress,
  fakeConnector,
  fakeWorld,
  flushTasks,
  type FakeConnector,
  type FakeWorld,
} from '../testing/fakes.ts'
import { getBalance } from '../account/getBalance.ts'
import { request, sendTransaction, signMessage, waitForTransaction } from './signMessage.ts'
import { connect } from '../connection/connect.ts'
import { setActiveNamespace } from '../connection/setActiveNamespace.ts'
import {
  getCallsStatus,
  getCapabilities,
  getWalletAssets,
  grantPermissions,
  revokePermissions,
  sendCalls,
  waitForCalls,
} from './sendCalls.ts'

async function connectTwoNamespaces(): Promise<FakeWorld & { evm: FakeConnector; solana: FakeConnector }> {
  const evm = fakeConnector({ id: 'evm' })
  const solana = fakeConnector({ id: 'sol', namespaces: ['solana'] })
  const world = fakeWorld({
    adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })],
    connectors: [evm, solana],
  })
  await connect(world.latchkey, 'sol')
  await connect(world.latchkey, 'evm')
  return { ...world, evm, solana }
}

// This code is loaded on demand, which an injected clock cannot advance.
beforeAll(() => import('../connection/lazyActions.ts'))

describe('a request for a chain', () => {
  test('goes to the wallet of that chain, which is switched to it first', async () => {
    const { latchkey, evm, adapter } = await connectTwoNamespaces()
    const hash = await sendTransaction(latchkey, { to: fakeAddress('eip155', 9) }, { chainId: 'eip155:2' })
    expect(evm.requests.map(({ method }) => method)).toEqual(['switchNetwork', 'sendTransaction'])
    expect(adapter.sent).toMatchObject([{ hash, account: fakeAccount('eip155:2') }])
    expect(getAccount(latchkey).network?.caipNetworkId).toBe('eip155:2')
  })

  test('sends no switch request when the wallet is on the chain', async () => {
    const { latchkey, evm } = await connectTwoNamespaces()
    await signMessage(latchkey, 'Hello', { chainId: 'eip155:1' })
    expect(evm.requests.map(({ method }) => method)).toEqual(['signMessage'])
  })

  test('of another namespace does not change the active namespace', async () => {
    const { latchkey, evm, solana } = await connectTwoNamespaces()
    const before = connectionStateOf(latchkey, 'eip155')
    await signMessage(latchkey, 'Hello', { chainId: 'solana:2' })
    expect(solana.requests.map(({ method }) => method)).toEqual(['switchNetwork', 'signMessage'])
    expect(evm.requests).toEqual([])
    expect(latchkey.wallet.getState().active).toBe('eip155')
    expect(connectionStateOf(latchkey, 'eip155')).toBe(before)
    await signMessage(latchkey, 'Hello', { namespace: 'solana' })
    expect(solana.requests).toHaveLength(3)
  })

  test.each(['eip155:31337', 'eip155:987654321'] as const)('may use %s, which is not configured', async (chainId) => {
    const { latchkey, evm } = await connectTwoNamespaces()
    await signMessage(latchkey, 'Hello', { chainId })
    expect(evm.requests).toMatchObject([{ method: 'switchNetwork', params: [chainId] }, { method: 'signMessage' }])
    expect(getAccount(latchkey)).toMatchObject({ network: { caipNetworkId: chainId }, supported: false })
  })

  test('rejects when the user declines the switch', async () => {
    const { latchkey, evm } = await connectTwoNamespaces()
    evm.fail('switchNetwork', requestError('request/rejected', { method: 'switchNetwork' }))
    const failure = await getRejection(request(latchkey, { method: 'signMessage', params: [], chainId: 'eip155:2' }))
    expect(failure).toMatchObject({ code: 'request/rejected' })
    expect(evm.requests.map(({ method }) => method)).toEqual(['switchNetwork'])
    expect(getAccount(latchkey).network?.caipNetworkId).toBe('eip155:1')
  })

  test('rejects without a connected wallet or an adapter [R5.2.1] [R8.3.1] [R8.3.3]', async () => {
    const { latchkey } = fakeWorld({ adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })] })
    const sendRequest = (chainId: `${string}:${string}`): Promise<unknown> =>
      getRejection(request(latchkey, { method: 'm', chainId }))
    expect(await sendRequest('solana:1')).toMatchObject({
      message: expect.stringContaining('Please call connect() before request()'),
    })
    expect(await sendRequest('cosmos:1')).toMatchObject({ message: expect.stringContaining('Adapter not found') })
    expect(await sendRequest('nonsense' as 'eip155:1')).toMatchObject({ code: 'caip/invalid' })
  })

  test('reaches the wallet unchanged', async () => {
    const { latchkey, evm } = await connectTwoNamespaces()
    await request(latchkey, { method: 'signMessage', params: [fakeAccount('eip155:1'), 'Hello'] })
    expect(evm.requests).toEqual([{ method: 'signMessage', params: [fakeAccount('eip155:1'), 'Hello'] }])
  })
})

describe('calls to a wallet', () => {
  const pending: CallsStatus = { id: 'batch', status: 'pending', atomic: true, receipts: [] }
  const confirmed: CallsStatus = { ...pending, status: 'confirmed' }

  /** An adapter whose wallets support all calls. Each response names the wallet. */
  function walletCalls(statuses: CallsStatus[] = []): WalletCalls {
    return {
      getCapabilities: async (_, account) => ({ 'eip155:1': { account } }),
      sendCalls: async (_, account, batch) => ({ id: `${account} ${batch.calls.length}` }),
      getCallsStatus: async () => statuses.shift() ?? confirmed,
      getAssets: async () => undefined,
      grantPermissions: async (_, account, permission) => ({ ...permission, account }),
      revokePermissions: async () => undefined,
    }
  }

  async function able(calls: WalletCalls = walletCalls()): Promise<FakeWorld> {
    const adapter = { ...fakeAdapter(), walletCalls: async () => calls }
    const world = fakeWorld({
      adapters: [adapter, fakeAdapter({ namespace: 'solana' })],
      connectors: [fakeConnector()],
    })
    await connect(world.latchkey, 'fake')
    return world
  }

  test('use the active account', async () => {
    const { latchkey } = await able()
    const account = fakeAccount('eip155:1')
    expect(await getCapabilities(latchkey)).toEqual({ 'eip155:1': { account } })
    expect(await sendCalls(latchkey, { calls: [{ to: '0x1' }, { to: '0x2' }] })).toEqual({ id: `${account} 2` })
    expect(await grantPermissions(latchkey, { expiry: 1 })).toEqual({ expiry: 1, account })
    expect(await getWalletAssets(latchkey)).toBeUndefined()
    await revokePermissions(latchkey, 'context')
  })

  test('are awaited until they settle, or until the timeout', async () => {
    const { latchkey, clock } = await able(walletCalls([pending, pending]))
    const waiting = waitForCalls(latchkey, 'batch')
    for (let second = 0; second < 2; second += 1) {
      await flushTasks()
      clock.advance(1_000)
    }
    expect(await waiting).toEqual(confirmed)
    const never = await able(walletCalls(Array.from({ length: 9 }, () => pending)))
    const failure = getRejection(waitForCalls(never.latchkey, 'batch', { timeout: 2_000 }))
    for (let second = 0; second < 3; second += 1) {
      await flushTasks()
      never.clock.advance(1_000)
    }
    expect(await failure).toMatchObject({ code: 'transaction/pending', context: { hash: 'batch', seconds: 2 } })
    expect(never.clock.waiting()).toBe(0)
  })

  test('are no longer awaited after an abort', async () => {
    const { latchkey, clock } = await able(walletCalls(Array.from({ length: 9 }, () => pending)))
    const waiting = new AbortController()
    const failure = getRejection(waitForCalls(latchkey, 'batch', { signal: waiting.signal }))
    await flushTasks()
    waiting.abort(new Error('enough'))
    expect(await failure).toMatchObject({ message: 'enough' })
    expect(clock.waiting()).toBe(0)
  })

  test('reject without a connection or support in the namespace [R8.3.9]', async () => {
    const { latchkey } = await able()
    setActiveNamespace(latchkey, 'solana')
    const actions = [
      () => getCapabilities(latchkey),
      () => sendCalls(latchkey, { calls: [] }),
      () => getCallsStatus(latchkey, 'batch'),
      () => getWalletAssets(latchkey),
      () => grantPermissions(latchkey, {}),
      () => revokePermissions(latchkey, 'context'),
    ]
    for (const sendRequest of actions)
      expect(await getRejection(sendRequest())).toMatchObject({ code: 'connection/not-connected' })
    const unable = fakeWorld({ connectors: [fakeConnector()] })
    await connect(unable.latchkey, 'fake')
    expect(await getRejection(getCapabilities(unable.latchkey))).toMatchObject({
      code: 'request/not-allowed',
      context: { method: 'wallet_getCapabilities' },
    })
  })
})

test('a balance that is read after a transaction is that of the chain, not of the cache', async () => {
  const { latchkey, adapter } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const before = await getBalance(latchkey)
  const hash = await sendTransaction(latchkey, { to: fakeAddress('eip155', 9), value: 1n })
  adapter.balances.set(fakeAddress('eip155'), before.value + 5n)
  await waitForTransaction(latchkey, hash)
  expect((await getBalance(latchkey)).value).toBe(before.value + 5n)
})
