import type { Connection, Connector, WalletCalls } from '@latchkey/core'
import { getRejection } from '@latchkey/core/testing'
import { addresses, startChains, type LocalChains } from '@latchkey/devnet'
import { announce, createSimulatedExtension, type SimulatedExtensionOptions } from '@latchkey/testkit'
import fc from 'fast-check'
import { defineChain, encodeFunctionData, isHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evm } from '../evm.ts'
import { aliceKey } from '../testing/createTestExtension.ts'

const [alice, bob, carol] = addresses
const burnAddress = '0x000000000000000000000000000000000000dEaD'
const token = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

let local: LocalChains
beforeAll(async () => {
  local = await startChains()
})
afterAll(() => local.close())

/** A connected wallet and its calls. */
async function setUp(options: Partial<SimulatedExtensionOptions> = {}) {
  const [{ network, rpcUrl, tokens }, second] = local.chains
  const page = new EventTarget()
  const extension = createSimulatedExtension({
    privateKeys: [aliceKey],
    rpcUrls: { 31337: rpcUrl, 31338: second.rpcUrl },
    chainId: 31337,
    ...options,
  })
  announce(extension, page)
  const { name, nativeCurrency } = network
  const chain = defineChain({ id: 31337, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
  const adapter = evm({ chains: [chain], page })
  const found: Connector[] = []
  adapter.discover?.((connector) => found.push(connector))
  const connections = await found[0]?.connect({ networks: [], signal: new AbortController().signal })
  const connection = connections?.[0]
  const calls = await adapter.walletCalls?.()
  if (connection === undefined || calls === undefined) throw new Error('The wallet is not connected.')
  const settledStatus = async (id: string) => {
    await expect.poll(() => calls.getCallsStatus(connection, id)).not.toMatchObject({ status: 'pending' })
    return calls.getCallsStatus(connection, id)
  }
  const balanceOf = async (address: string) => (await adapter.getBalance(adapter.networks[0], address)).value
  return { extension, connection, account: connection.accounts[0], calls, tokens, settledStatus, balanceOf }
}

/** A wallet that returns the same response to every request. */
async function walletWithResponse(response: unknown) {
  const requests: unknown[] = []
  const account = `eip155:1:${alice}` as const
  const connection: Connection = {
    namespace: 'eip155',
    accounts: [account],
    chainId: 'eip155:1',
    approvedChains: 'all',
    provider: {
      async request(args) {
        requests.push(args)
        return typeof response === 'function' ? response(args) : response
      },
    },
    wallet: { name: 'Wallet' },
    listen: () => () => {},
  }
  const { walletCalls } = await import('./walletCalls.ts')
  const calls: WalletCalls = walletCalls
  return { connection, account, calls, requests }
}

describe('a batch of calls (EIP-5792)', () => {
  test.each(['atomic', 'one-by-one'] as const)('with %s execution runs in order', async (batches) => {
    const { connection, account, calls, settledStatus, balanceOf, extension } = await setUp({ batches })
    const before = await balanceOf(burnAddress)
    const { id } = await calls.sendCalls(connection, account, {
      calls: [
        { to: burnAddress, value: 1n },
        { to: burnAddress, value: 2n, data: '0x' },
        { to: burnAddress, value: 3n },
      ],
    })
    const { status, atomic, receipts } = await settledStatus(id)
    expect({ status, atomic, count: receipts.length }).toEqual({
      status: 'confirmed',
      atomic: batches === 'atomic',
      count: batches === 'atomic' ? 1 : 3,
    })
    expect(receipts.every(({ hash, blockNumber }) => isHex(hash) && blockNumber > 0n)).toBe(true)
    expect((await balanceOf(burnAddress)) - before).toBe(6n)
    expect(extension.requests.find(({ method }) => method === 'wallet_sendCalls')?.params).toMatchObject([
      { version: '2.0.0', from: alice, chainId: '0x7a69', atomicRequired: false },
    ])
  })

  test.each([
    ['atomic', 'reverted', 0n],
    ['one-by-one', 'partly-reverted', 1n],
  ] as const)('with a failing call and %s execution has the status %s', async (batches, status, moved) => {
    const { connection, account, calls, tokens, settledStatus, balanceOf } = await setUp({ batches })
    const before = await balanceOf(burnAddress)
    const tooMuch = encodeFunctionData({ abi: token, functionName: 'transfer', args: [burnAddress, 10n ** 30n] })
    const { id } = await calls.sendCalls(connection, account, {
      calls: [
        { to: burnAddress, value: 1n },
        { to: tokens[0]?.address, data: tooMuch },
        { to: burnAddress, value: 5n },
      ],
    })
    expect(await settledStatus(id)).toMatchObject({ status, atomic: batches === 'atomic' })
    expect((await balanceOf(burnAddress)) - before).toBe(moved)
  })

  test('is refused if it must be atomic and the wallet sends calls one by one', async () => {
    const { connection, account, calls } = await setUp({ batches: 'one-by-one' })
    const sending = calls.sendCalls(connection, account, { calls: [{ to: burnAddress }], atomic: true })
    await expect(sending).rejects.toMatchObject({ code: 'request/failed', context: { code: 5760 } })
  })

  test('is refused with a capability that the wallet lacks', async () => {
    const { connection, account, calls } = await setUp({ batches: 'atomic' })
    const capabilities = { paymasterService: { url: 'https://paymaster.test' } }
    const sending = calls.sendCalls(connection, account, { calls: [{ to: burnAddress }], capabilities })
    await expect(sending).rejects.toMatchObject({ code: 'request/failed', context: { code: 5700 } })
  })

  test('sends nothing if the user declines', async () => {
    const { extension, connection, account, calls } = await setUp({ batches: 'atomic' })
    extension.rejectNext()
    const sending = calls.sendCalls(connection, account, { calls: [{ to: burnAddress, value: 1n }] })
    await expect(sending).rejects.toMatchObject({ code: 'request/rejected' })
  })

  test('has no status if it was never sent', async () => {
    const { connection, calls } = await setUp({ batches: 'atomic' })
    const reading = calls.getCallsStatus(connection, '0x1234')
    await expect(reading).rejects.toMatchObject({ code: 'request/failed', context: { code: 5730 } })
  })

  test('is validated before the wallet receives it', async () => {
    const { connection, account, calls, requests } = await walletWithResponse({ id: '0x1' })
    const typo = calls.sendCalls(connection, account, { calls: [{ to: bob.replace('C8', 'c8') }] })
    await expect(typo).rejects.toMatchObject({ code: 'address/invalid' })
    const owing = calls.sendCalls(connection, account, { calls: [{ to: bob, value: -1n }] })
    await expect(owing).rejects.toMatchObject({ code: 'amount/invalid' })
    expect(requests).toEqual([])
  })

  test.each([{}, null, 7, [], '', { id: '' }, { id: 7 }, { id: 'x'.repeat(9_000) }])(
    'rejects as an invalid response if the wallet returns the id %j',
    async (response) => {
      const { connection, account, calls } = await walletWithResponse(response)
      await expect(calls.sendCalls(connection, account, { calls: [{ to: bob }] })).rejects.toMatchObject({
        code: 'wallet/invalid-response',
        context: { method: 'wallet_sendCalls' },
      })
    },
  )

  test('is found by the plain id that version-1 wallets return', async () => {
    const { connection, account, calls } = await walletWithResponse('0xabc')
    expect(await calls.sendCalls(connection, account, { calls: [{ to: bob }] })).toEqual({ id: '0xabc' })
  })
})

describe('the status of a batch', () => {
  const receipt = { transactionHash: `0x${'ab'.repeat(32)}`, blockNumber: '0x10', status: '0x1' }
  const reverted = { ...receipt, status: '0x0' }

  test.each([
    [100, 'pending'],
    [101, 'pending'],
    [200, 'confirmed'],
    [400, 'failed'],
    [500, 'reverted'],
    [600, 'partly-reverted'],
    ['200', 'confirmed'],
    ['PENDING', 'pending'],
    ['CONFIRMED', 'confirmed'],
  ])('for the wallet’s status %j is %s', async (status, meaning) => {
    const { connection, calls } = await walletWithResponse({ status })
    const expected = { id: '0x1', status: meaning, atomic: false, receipts: [] }
    expect(await calls.getCallsStatus(connection, '0x1')).toEqual(expected)
  })

  test.each([
    [[reverted], 'reverted'],
    [[receipt, reverted], 'partly-reverted'],
    [[receipt, receipt], 'confirmed'],
  ])('is derived from the receipts in a version-1 response', async (receipts, meaning) => {
    const { connection, calls } = await walletWithResponse({ status: 'CONFIRMED', receipts })
    expect((await calls.getCallsStatus(connection, '0x1')).status).toBe(meaning)
  })

  test.each([
    null,
    '200',
    [],
    {},
    { status: 300 },
    { status: 'DONE' },
    { status: 200, receipts: {} },
    { status: 200, receipts: [7] },
    { status: 200, receipts: [{ ...receipt, transactionHash: '0x12' }] },
    { status: 200, receipts: [{ ...receipt, blockNumber: 'many' }] },
    { status: 200, receipts: [{ ...receipt, blockNumber: '0x' }] },
  ])('is rejected as invalid: %j', async (response) => {
    const { connection, calls } = await walletWithResponse(response)
    await expect(calls.getCallsStatus(connection, '0x1')).rejects.toMatchObject({
      code: 'wallet/invalid-response',
      context: { method: 'wallet_getCallsStatus' },
    })
  })
})

describe('capabilities', () => {
  test('are listed per chain [R7.3.2]', async () => {
    const { connection, account, calls } = await setUp({ batches: 'atomic', tokens: {} })
    expect(await calls.getCapabilities(connection, account)).toEqual({
      'eip155:31337': { atomic: { status: 'supported' }, assetDiscovery: { supported: true } },
      'eip155:31338': { atomic: { status: 'supported' }, assetDiscovery: { supported: true } },
    })
  })

  test('for all chains apply to each chain', async () => {
    const { connection, account, calls } = await walletWithResponse({
      '0x0': { paymasterService: { supported: true } },
      '0x1': { atomic: { status: 'ready' } },
    })
    expect(await calls.getCapabilities(connection, account)).toEqual({
      'eip155:0': { paymasterService: { supported: true } },
      'eip155:1': { paymasterService: { supported: true }, atomic: { status: 'ready' } },
    })
  })

  test('are empty if the wallet reports none', async () => {
    const { connection, account, calls } = await setUp()
    expect(await calls.getCapabilities(connection, account)).toEqual({})
  })

  test.each([null, 'all', [], { one: {} }, { '0x1': true }, { '0x0': 7 }, { '0x1': [] }])(
    'are rejected as invalid: %j',
    async (response) => {
      const { connection, account, calls } = await walletWithResponse(response)
      await expect(calls.getCapabilities(connection, account)).rejects.toMatchObject({
        code: 'wallet/invalid-response',
        context: { method: 'wallet_getCapabilities' },
      })
    },
  )
})

describe('assets reported by the wallet (EIP-7811)', () => {
  test('belong to the account on its chain [R3.11] [R7.3.2]', async () => {
    const [chain] = local.chains
    const { connection, account, calls, extension } = await setUp({
      tokens: { 31337: chain.tokens.map(({ address }) => address) },
    })
    const assets = await calls.getAssets(connection, account)
    expect(assets?.map(({ address, type, metadata }) => [address, type, metadata.symbol, metadata.decimals])).toEqual([
      [undefined, 'NATIVE', 'ETH', 18],
      [chain.tokens[0]?.address, 'ERC20', 'LUSD', 6],
      [chain.tokens[1]?.address, 'ERC20', 'KEY', 18],
    ])
    expect(assets?.every(({ balance }) => balance > 0n)).toBe(true)
    expect(extension.requests.at(-1)).toEqual({
      method: 'wallet_getAssets',
      params: [{ account: alice, chainFilter: ['0x7a69'] }],
    })
  })

  test('are not requested if the wallet lacks the capability', async () => {
    const { connection, account, calls, extension } = await setUp({ batches: 'atomic' })
    expect(await calls.getAssets(connection, account)).toBeUndefined()
    expect(extension.requests.map(({ method }) => method)).not.toContain('wallet_getAssets')
    const other = await walletWithResponse({ '0x1': { assetDiscovery: { supported: 'true' } } })
    expect(await other.calls.getAssets(other.connection, other.account)).toBeUndefined()
    expect(other.requests).toHaveLength(1)
  })

  const metadata = { name: 'Token', symbol: 'TOK', decimals: 6, price: 1.5, iconUrl: '' }
  const good = { address: carol, balance: '0x10', type: 'ERC20', metadata }
  const assetsOf = (...assets: unknown[]) =>
    walletWithResponse(({ method }: { method: string }) =>
      method === 'wallet_getAssets' ? { '0x1': assets } : { '0x1': { assetDiscovery: { supported: true } } },
    )

  test('accept hex and decimal balances, and exclude NFTs [R5.5.2] [R5.5.3]', async () => {
    const whole = { ...good, metadata: { ...metadata, decimals: 0 } }
    const { connection, account, calls } = await assetsOf(good, { ...good, balance: '32' }, whole)
    expect(await calls.getAssets(connection, account)).toEqual([
      { ...good, balance: 16n },
      { ...good, balance: 32n },
    ])
  })

  test.each([
    null,
    'asset',
    { ...good, address: undefined },
    { ...good, address: 7 },
    { ...good, balance: 16 },
    { ...good, balance: 'many' },
    { ...good, type: 'ERC721' },
    { ...good, type: 'native' },
    { ...good, type: undefined },
    { ...good, metadata: undefined },
    { ...good, metadata: { ...metadata, name: undefined } },
    { ...good, metadata: { ...metadata, symbol: 7 } },
    { ...good, metadata: { ...metadata, iconUrl: undefined } },
    { ...good, metadata: { ...metadata, decimals: '6' } },
    { ...good, metadata: { ...metadata, decimals: 1.5 } },
    { ...good, metadata: { ...metadata, price: '1' } },
    { ...good, metadata: { ...metadata, price: Number.NaN } },
  ])('are undefined if one of them is %j [R5.5.2]', async (bad) => {
    const { connection, account, calls } = await assetsOf(good, bad)
    expect(await calls.getAssets(connection, account)).toBeUndefined()
  })

  test.each([null, [], 'none', { '0x1': {} }, { '0x1': null }])(
    'are rejected as invalid: %j [R5.5.2]',
    async (response) => {
      const { connection, account, calls } = await walletWithResponse(({ method }: { method: string }) =>
        method === 'wallet_getAssets' ? response : { '0x0': { assetDiscovery: { supported: true } } },
      )
      expect(await calls.getAssets(connection, account)).toBeUndefined()
    },
  )
})

describe('a permission (ERC-7715)', () => {
  const wanted = {
    expiry: 4_000_000_000,
    signer: { type: 'account', data: { address: bob } },
    permission: { type: 'native-token-transfer', data: { allowance: '0x10' } },
    policies: [],
  }

  test('is granted for an account on its chain, and revoked by its context [R7.3.2]', async () => {
    const { connection, account, calls } = await setUp()
    const granted = await calls.grantPermissions(connection, account, wanted)
    expect(granted).toMatchObject({ ...wanted, address: alice, chainId: '0x7a69', context: expect.any(String) })
    const context = String(granted['context'])
    await calls.revokePermissions(connection, account, context)
    const again = calls.revokePermissions(connection, account, context)
    await expect(again).rejects.toMatchObject({ code: 'request/failed' })
  })

  test('rejects if the user declines', async () => {
    const { extension, connection, account, calls } = await setUp()
    extension.rejectNext()
    await expect(calls.grantPermissions(connection, account, wanted)).rejects.toMatchObject({
      code: 'request/rejected',
    })
  })

  test.each([null, {}, [], [{}], [{ context: 7 }], 'granted'])('is rejected as invalid: %j', async (response) => {
    const { connection, account, calls } = await walletWithResponse(response)
    await expect(calls.grantPermissions(connection, account, wanted)).rejects.toMatchObject({
      code: 'wallet/invalid-response',
      context: { method: 'wallet_grantPermissions' },
    })
  })
})

test('a wallet without these methods is reported by the same code for each', async () => {
  const { connection, account, calls, extension } = await setUp()
  for (const code of [4200, -32_601, -32_004]) {
    extension.faults.set('all', { kind: 'fail', code, message: 'No such method' })
    for (const reading of [
      calls.sendCalls(connection, account, { calls: [{ to: burnAddress }] }),
      calls.getCallsStatus(connection, '0x1'),
      calls.grantPermissions(connection, account, {}),
      calls.revokePermissions(connection, account, '0x1'),
    ]) {
      await expect(reading).rejects.toMatchObject({ code: 'request/not-allowed' })
    }
    expect(await calls.getCapabilities(connection, account)).toEqual({})
    expect(await calls.getAssets(connection, account)).toBeUndefined()
  }
})

test('a response with throwing getters is invalid', async () => {
  const trap = {
    get id(): never {
      throw new Error('trap')
    },
  }
  const { connection, account, calls } = await walletWithResponse(trap)
  await expect(calls.sendCalls(connection, account, { calls: [] })).rejects.toMatchObject({
    code: 'wallet/invalid-response',
  })
})

test('any wallet response leads to a valid result or an error with a code', async () => {
  const field = fc.oneof(
    fc.anything(),
    fc.constantFrom(100, 200, '0x1', '0x', 'CONFIRMED', 'ERC20', [], {}, Number.NaN),
  )
  const names = ['id', 'status', 'atomic', 'receipts', 'context', '0x0', '0x1', '__proto__', 'assetDiscovery']
  const assetsOf = fc.oneof(field, fc.dictionary(fc.constantFrom(...names), field), fc.array(field, { maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(assetsOf, async (response) => {
      const { connection, account, calls } = await walletWithResponse(() => response)
      const reading: Array<Promise<unknown>> = [
        calls.getCapabilities(connection, account),
        calls.getAssets(connection, account),
        calls.sendCalls(connection, account, { calls: [] }),
        calls.getCallsStatus(connection, '0x1'),
        calls.grantPermissions(connection, account, {}),
      ]
      const failures = await Promise.all(reading.map(getRejection))
      const codes = failures.flatMap((failure) => (failure === undefined ? [] : [Reflect.get(Object(failure), 'code')]))
      expect(codes.filter((code) => code !== 'wallet/invalid-response')).toEqual([])
    }),
  )
})
