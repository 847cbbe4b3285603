import { startChains, type LocalChains } from '@latchkey/devnet'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { createTestClient, http, numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createChainBalances } from '../balances/chainBalances.ts'
import { createBalancesEndpoint } from '../balances/balancesEndpoint.ts'
import { createPortfolioEndpoint } from '../balances/portfolioEndpoint.ts'
import { createWalletRpcEndpoints } from '../walletRpc/walletRpcEndpoints.ts'
import { createFeedPrices } from './feedPrices.ts'
import { createPricesEndpoint } from './pricesEndpoint.ts'

/** A contract that returns its storage: words 0 to 4 for `latestRoundData()`, word 5 for any other call. */
const feedCode: Hex = `0x60003560e01c63feaf968c14601a5760055460005260206000f35b${[0, 1, 2, 3, 4]
  .map((at) => `60${hexByte(at)}5460${hexByte(at * 32)}52`)
  .join('')}60a06000f3`
const feed = `0x${'fe'.repeat(20)}` as const
const silent = `0x${'51'.repeat(20)}` as const
const holder = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const native = `0x${'e'.repeat(40)}`
const second = 1_000n

let world: LocalChains
let chain: Chain
let app: FastifyInstance
let now = 1_750_000_000_000

beforeAll(async () => {
  world = await startChains()
  const { network, rpcUrl, tokens } = world.chains[0]
  const { caipNetworkId, name, nativeCurrency } = network
  const priceFeeds = [
    { asset: 'native', feed },
    { asset: tokens[0]?.address ?? '', feed: silent },
  ]
  chain = { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens, priceFeeds }
  await createNodeClient().setCode({ address: feed, bytecode: feedCode })
})
afterAll(async () => world.close())

beforeEach(async () => {
  const pools = createEndpointPools({ now: () => now })
  const prices = createFeedPrices({ pools, bus: createInProcessBus(), clock: { now: () => now } })
  const away: Chain = { ...chain, caipNetworkId: 'eip155:5', rpcUrls: ['http://127.0.0.1:1'] }
  const chains = [chain, away]
  const holding = { chains, sources: [createChainBalances({ pools, clock: { now: () => now } })], prices }
  app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  const all = [
    createBalancesEndpoint(holding),
    createPortfolioEndpoint(holding),
    createPricesEndpoint({ chains, prices }),
    ...createWalletRpcEndpoints(holding),
  ]
  mountEndpoints(app, all, () => undefined)
  await setFeed({ price: 2_000_50000000n })
})

const createNodeClient = () => createTestClient({ mode: 'anvil', transport: http(world.chains[0].rpcUrl) })

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

/** Sets the price of the feed, with eight decimals by default. */
async function setFeed({ price, age = 0n, decimals = 8n }: { price: bigint; age?: bigint; decimals?: bigint }) {
  const words = [1n, BigInt.asUintN(256, price), 0n, BigInt(now) / second - age, 1n, decimals]
  for (const [index, value] of words.entries()) {
    await createNodeClient().setStorageAt({ address: feed, index, value: numberToHex(value, { size: 32 }) })
  }
}

async function sendRequest(path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const response = await app.inject({ method: body === undefined ? 'GET' : 'POST', url: path, ...payload })
  return { status: response.statusCode, body: response.json() }
}

const priceOf = (body: object) =>
  sendRequest('/v1/fungible/price', { currency: 'usd', addresses: [toAssetId()], ...body })
const toAssetId = (address = native): string => `${chain.caipNetworkId}:${address}`

test('price of the native currency comes from an on-chain feed, and unknown prices are left out [R7.1.8]', async () => {
  const [priceless, unlisted] = [chain.tokens[1]?.address, `0x${'12'.repeat(20)}`]
  expect(
    await priceOf({
      addresses: [toAssetId(), toAssetId(priceless), toAssetId(unlisted), toAssetId(chain.tokens[0]?.address)],
    }),
  ).toEqual({
    status: 200,
    body: {
      fungibles: [{ address: toAssetId(), name: 'Ether', symbol: 'ETH', iconUrl: '', price: 2_000.5, decimals: 18 }],
    },
  })
  expect(await priceOf({ currency: 'eur' })).toEqual({ status: 200, body: { fungibles: [] } })
})

test.each([
  ['of more than a day ago', { price: 1n, age: 86_401n }],
  ['of tomorrow', { price: 1n, age: -86_401n }],
  ['of nothing', { price: 0n }],
  ['below nothing', { price: -5n }],
  ['with more digits than anything has', { price: 1n, decimals: 78n }],
])('price is missing if the feed reports one %s', async (_what, report) => {
  await setFeed(report)
  expect(await priceOf({})).toEqual({ status: 200, body: { fungibles: [] } })
})

test('price is cached for 30 seconds', async () => {
  const price = async () => (await priceOf({})).body
  await setFeed({ price: 100n, decimals: 2n })
  expect(await price()).toMatchObject({ fungibles: [{ price: 1 }] })
  await setFeed({ price: 200n, decimals: 2n })
  now += 10_000
  expect(await price()).toMatchObject({ fungibles: [{ price: 1 }] })
  now += 20_000
  expect(await price()).toMatchObject({ fungibles: [{ price: 2 }] })
})

test('price in an unknown currency is rejected with 422', async () => {
  expect(await sendRequest('/v1/fungible/price', { currency: 'xau', addresses: [] })).toMatchObject({
    status: 422,
    body: { reasons: [{ field: 'currency' }] },
  })
})

test.each<[string, unknown, string]>([
  ['no token', { currency: 'usd', addresses: [] }, 'address'],
  ['something that is not an address', { currency: 'usd', addresses: ['eip155:31337:0x12'] }, 'address'],
  ['something that is not an id', { currency: 'usd', addresses: ['ether'] }, 'address'],
  ['another chain', { currency: 'usd', addresses: [`eip155:77:${native}`] }, 'chainId'],
  ['no currency', { addresses: [] }, 'currency'],
  ['no list', { currency: 'usd' }, 'addresses'],
  ['a list of something else', { currency: 'usd', addresses: [{}] }, 'addresses'],
  ['nothing', null, ''],
])('price of %s is rejected with the name of the field', async (_what, body, field) => {
  expect(await sendRequest('/v1/fungible/price', body)).toMatchObject({ status: 400, body: { reasons: [{ field }] } })
})

test('price fails with 503 if the chain is not available', async () => {
  expect((await priceOf({ addresses: [`eip155:5:${native}`] })).status).toBe(503)
})

test('balance has a value in dollars if the price is known', async () => {
  await createNodeClient().setBalance({ address: holder, value: 2n * 10n ** 18n })
  const balanceIn = async (currency: string) =>
    (await sendRequest(`/v1/account/${holder}/balance?chainId=${chain.caipNetworkId}&currency=${currency}`)).body
  const usd = (await balanceIn('usd')) as { balances: readonly object[] }
  expect(usd.balances[0]).toMatchObject({ symbol: 'ETH', price: 2_000.5, value: 4_001 })
  expect(usd.balances[1]).toMatchObject({ price: 0 })
  expect(usd.balances[1]).not.toHaveProperty('value')
  const eur = (await balanceIn('eur')) as { balances: readonly object[] }
  expect(eur.balances[0]).not.toHaveProperty('value')
})

test('portfolio lists the assets of an address', async () => {
  const held = chain.tokens.map(({ address, name, symbol }) => ({ id: toAssetId(address), name, symbol }))
  expect(await sendRequest(`/v1/account/${holder}/portfolio?chainId=${chain.caipNetworkId}`)).toEqual({
    status: 200,
    body: { data: [{ id: toAssetId('native'), name: 'Ether', symbol: 'ETH' }, ...held] },
  })
  const refused = await sendRequest('/v1/account/alice.eth/portfolio')
  expect(refused).toMatchObject({ status: 400, body: { reasons: [{ field: 'address' }] } })
  expect((await sendRequest(`/v1/account/${holder}/portfolio?chainId=eip155:5`)).status).toBe(503)
})

type Assets = Record<string, readonly { type: string; address: string; balance: string; metadata: object }[]>

async function assetsOf(request: object): Promise<Assets> {
  const params = [{ account: holder, ...request }]
  const { body } = await sendRequest('/v1/wallet', { id: 7, jsonrpc: '2.0', method: 'wallet_getAssets', params })
  const { result, id: responseId } = body as { result: Assets; id: number }
  expect(responseId).toBe(7)
  return result
}

test('wallet_getAssets returns the assets of an account and applies the filters', async () => {
  await createNodeClient().setBalance({ address: holder, value: 2n * 10n ** 18n })
  const token = chain.tokens[0]
  const all = await assetsOf({})
  expect(Object.keys(all)).toEqual(['0x7a69'])
  expect(all['0x7a69']?.[0]).toEqual({
    type: 'NATIVE',
    address: 'native',
    balance: '0x1bc16d674ec80000',
    metadata: { name: 'Ether', symbol: 'ETH', decimals: 18, iconUrl: '', price: 2_000.5, value: 4_001 },
  })
  const tokens = await assetsOf({ assetTypeFilter: ['erc20'] })
  expect(tokens['0x7a69']?.every(({ type }) => type === 'ERC20')).toBe(true)
  expect(tokens['0x7a69']?.map(({ address }) => address)).toContain(token?.address)
  expect(await assetsOf({ chainFilter: ['0x1'] })).toEqual({})
  const named = { '0x7A69': [{ address: 'native', type: 'native' }] }
  const one = await assetsOf({ assetFilter: named, assetTypeFilter: ['erc20'], chainFilter: ['0x1'] })
  expect(one['0x7a69']?.map(({ address }) => address)).toEqual(['native'])
})

const createRpcRequest = (over: object) => ({
  id: 1,
  jsonrpc: '2.0',
  method: 'wallet_getAssets',
  params: [{}],
  ...over,
})

test.each<[string, unknown, number]>([
  ['a batch', [createRpcRequest({})], -32600],
  ['something that is not a request', { method: 'wallet_getAssets' }, -32600],
  ['nothing', null, -32600],
  ['a string', 'wallet_getAssets', -32600],
  ['another version', createRpcRequest({ jsonrpc: '1.0' }), -32600],
  ['a method that needs a wallet', createRpcRequest({ method: 'wallet_prepareCalls' }), -32601],
  ['no parameters', createRpcRequest({ params: undefined }), -32602],
  ['no account', createRpcRequest({ params: [{}] }), -32602],
  ['an account of something else', createRpcRequest({ params: [{ account: 'alice.eth' }] }), -32602],
  ['an invalid chain', createRpcRequest({ params: [{ account: holder, chainFilter: ['one'] }] }), -32602],
  [
    'a filter for an invalid chain',
    createRpcRequest({ params: [{ account: holder, assetFilter: { one: [] } }] }),
    -32602,
  ],
])('wallet RPC with %s is rejected with a JSON-RPC error', async (_what, body, code) => {
  for (const path of ['/v1/wallet', '/v1/json-rpc']) {
    expect(await sendRequest(path, body)).toMatchObject({ status: 400, body: { jsonrpc: '2.0', error: { code } } })
  }
})

test('wallet RPC and prices never return an internal error for arbitrary bodies', async () => {
  const some = fc.jsonValue({ maxDepth: 3 })
  const named = fc.record({ account: fc.constant(holder), assetFilter: some, chainFilter: some, assetTypeFilter: some })
  const request = fc.oneof(some, fc.record({ account: some }), named).map((params) => createRpcRequest({ params }))
  const wanted = fc.record({ currency: fc.constantFrom('usd', 'eur', 'x'), addresses: fc.oneof(some, fc.array(some)) })
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.tuple(fc.constantFrom('/v1/wallet', '/v1/json-rpc', '/v1/fungible/price'), some),
        fc.tuple(fc.constant('/v1/wallet'), request),
        fc.tuple(fc.constant('/v1/fungible/price'), wanted),
      ),
      async ([path, body]) => {
        expect([200, 400, 422]).toContain((await sendRequest(path, body)).status)
      },
    ),
    { numRuns: 200 },
  )
})
