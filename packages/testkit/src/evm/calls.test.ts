import { readFile } from 'node:fs/promises'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAnvil, type Anvil } from './anvil.ts'
import { requestChain } from './requestChain.ts'
import { createSimulatedExtension, type SimulatedExtensionOptions } from './extension.ts'
import { simulatedAccountBytecode } from './simulatedAccount.ts'

const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const otherKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const ownKey = `0x${'c5'.repeat(32)}` as const
const [from, other] = [privateKeyToAddress(key), privateKeyToAddress(otherKey)]
const burnAddress = '0x000000000000000000000000000000000000dEaD'

let chain: Anvil
beforeAll(async () => {
  chain = await startAnvil()
})
afterAll(() => chain.stop())

function createTestExtension(options: Partial<SimulatedExtensionOptions> = {}) {
  const extension = createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: { 31_337: chain.url },
    chainId: 31_337,
    permitted: true,
    ...options,
  })
  const sendRequest = (method: string, ...params: unknown[]): Promise<unknown> => extension.request({ method, params })
  return { extension, request: sendRequest }
}

const batch = {
  version: '2.0.0',
  from,
  chainId: '0x7a69',
  atomicRequired: false,
  calls: [{ to: burnAddress, value: '0x1' }],
}

test('simulatedAccountBytecode equals the compiled contract artifact', async () => {
  const artifact = new URL('../../../../devnet/src/contracts/artifacts/SimulatedAccount.json', import.meta.url)
  expect(JSON.parse(await readFile(artifact, 'utf8'))).toMatchObject({ bytecode: simulatedAccountBytecode })
})

describe('wallet_sendCalls', () => {
  test('returns the id before the batch is mined, and wallet_getCallsStatus then returns its receipts', async () => {
    const { request: sendRequest } = createTestExtension({ batches: 'one-by-one' })
    const calls = [{ to: burnAddress, value: '0x1' }, { to: burnAddress }]
    expect(await sendRequest('wallet_sendCalls', { ...batch, id: 'mine', calls })).toEqual({ id: 'mine' })
    expect(await sendRequest('wallet_getCallsStatus', 'mine')).toMatchObject({ status: 100, atomic: false })
    await expect
      .poll(() => sendRequest('wallet_getCallsStatus', 'mine'))
      .toMatchObject({
        version: '2.0.0',
        id: 'mine',
        chainId: '0x7a69',
        status: 200,
        receipts: [{ status: '0x1' }, { status: '0x1' }],
      })
  })

  test('leads to status 400 without receipts when the calls cannot be sent', async () => {
    const { request: sendRequest } = createTestExtension({ batches: 'one-by-one' })
    const calls = [{ to: burnAddress, value: `0x${'f'.repeat(30)}` }]
    await sendRequest('wallet_sendCalls', { ...batch, id: 'too much', calls })
    await expect
      .poll(() => sendRequest('wallet_getCallsStatus', 'too much'))
      .toMatchObject({ status: 400, receipts: [] })
  })

  test('runs an atomic batch by delegating the account to a contract (EIP-7702)', async () => {
    const { request: sendRequest } = createTestExtension({ batches: 'atomic' })
    await sendRequest('wallet_sendCalls', { ...batch, id: 'first', atomicRequired: true })
    await expect.poll(() => sendRequest('wallet_getCallsStatus', 'first')).toMatchObject({ status: 200, atomic: true })
    expect(await requestChain(chain.url, 'eth_getCode', [from, 'latest'])).toMatch(/^0xef0100[0-9a-f]{40}$/)
  })

  test.each([
    ['of another version', { ...batch, version: '1.0' }, -32_602],
    ['that does not say whether it has to be atomic', { ...batch, atomicRequired: undefined }, -32_602],
    ['without calls', { ...batch, calls: [] }, -32_602],
    ['with an invalid call', { ...batch, calls: [{ to: 'invalid' }] }, -32_602],
    ['of another account', { ...batch, from: other }, 4100],
    ['on another chain', { ...batch, chainId: '0x1' }, 5710],
    ['that has to be atomic', { ...batch, atomicRequired: true }, 5760],
    ['that needs what the wallet does not have', { ...batch, capabilities: { paymasterService: {} } }, 5700],
  ])('rejects a batch %s with its EIP-5792 code', async (_, request, code) => {
    const { request: sendRequest } = createTestExtension({ batches: 'one-by-one' })
    await expect(sendRequest('wallet_sendCalls', request)).rejects.toMatchObject({ code })
  })

  test('rejects an id used before, and wallet_getCallsStatus rejects an unknown id', async () => {
    const { request: sendRequest } = createTestExtension({ batches: 'one-by-one' })
    await sendRequest('wallet_sendCalls', {
      ...batch,
      id: 'twice',
      capabilities: { paymasterService: { optional: true } },
    })
    await expect(sendRequest('wallet_sendCalls', { ...batch, id: 'twice' })).rejects.toMatchObject({ code: 5720 })
    await expect(sendRequest('wallet_getCallsStatus', 'never')).rejects.toMatchObject({ code: 5730 })
  })
})

test('wallet_getCapabilities returns the capabilities of known chains, and rejects accounts without permission', async () => {
  const { request: sendRequest } = createTestExtension({
    batches: 'atomic',
    rpcUrls: { 31_337: chain.url, 5: chain.url },
    unknownChains: [5],
  })
  expect(await sendRequest('wallet_getCapabilities', from)).toEqual({ '0x7a69': { atomic: { status: 'supported' } } })
  expect(await sendRequest('wallet_getCapabilities', from, ['0x1'])).toEqual({})
  await expect(sendRequest('wallet_getCapabilities', other)).rejects.toMatchObject({ code: 4100 })
})

test('wallet_getAssets returns the assets of an account, filtered by chain', async () => {
  // No other test spends from this account.
  const { request: sendRequest } = createTestExtension({ tokens: {}, privateKeys: [ownKey] })
  const [account, balance] = [privateKeyToAddress(ownKey), '0x2386f26fc10000']
  await requestChain(chain.url, 'anvil_setBalance', [account, balance])
  expect(await sendRequest('wallet_getAssets', { account })).toMatchObject({
    '0x7a69': [{ address: 'native', type: 'NATIVE', balance, metadata: { symbol: 'ETH', decimals: 18 } }],
  })
  expect(await sendRequest('wallet_getAssets', { account, chainFilter: ['0x1'] })).toEqual({})
})

test('batch and asset methods reject with 4200 unless they are enabled', async () => {
  const { request: sendRequest } = createTestExtension()
  for (const method of ['wallet_sendCalls', 'wallet_getCallsStatus', 'wallet_getCapabilities', 'wallet_getAssets']) {
    await expect(sendRequest(method, batch)).rejects.toMatchObject({ code: 4200 })
  }
})

describe('EIP-2255 permissions', () => {
  test('are returned with their accounts, even while the wallet is locked', async () => {
    const { extension, request: sendRequest } = createTestExtension({ permitted: false })
    expect(await sendRequest('wallet_getPermissions')).toEqual([])
    await sendRequest('eth_requestAccounts')
    extension.lock()
    const caveats = [{ type: 'restrictReturnedAccounts', value: [from] }]
    expect(await sendRequest('wallet_getPermissions')).toEqual([{ parentCapability: 'eth_accounts', caveats }])
  })

  test('are granted for the accounts that the owner selects', async () => {
    const { extension, request: sendRequest } = createTestExtension({ permitted: false })
    const events: unknown[] = []
    extension.subscribe((event, value) => events.push([event, value]))
    extension.chooseAccountsNext([otherKey])
    await sendRequest('wallet_requestPermissions', { eth_accounts: {} })
    expect(await sendRequest('eth_accounts')).toEqual([other])
    expect(events).toEqual([['accountsChanged', [other]]])
    await expect(sendRequest('wallet_requestPermissions', { other: {} })).rejects.toMatchObject({ code: -32_602 })
  })
})

test('wallet_grantPermissions returns a context, and wallet_revokePermissions revokes it once (ERC-7715)', async () => {
  const { request: sendRequest } = createTestExtension()
  const wanted = { address: from, expiry: 4_000_000_000 }
  const [granted] = (await sendRequest('wallet_grantPermissions', wanted)) as Array<{ context: string }>
  expect(granted).toMatchObject(wanted)
  const permissionContext = granted?.context
  await sendRequest('wallet_revokePermissions', { permissionContext })
  await expect(sendRequest('wallet_revokePermissions', { permissionContext })).rejects.toMatchObject({ code: -32_602 })
  expect(await sendRequest('eth_accounts')).toEqual([from])
  await expect(sendRequest('wallet_grantPermissions', { address: from })).rejects.toMatchObject({ code: -32_602 })
})
