import {
  addresses,
  exchangeConfig,
  startChains,
  waitUntilMined,
  type LocalChain,
  type LocalChains,
} from '@latchkey/devnet'
import type {
  ConvertApprovalResponse,
  ConvertQuote,
  ConvertQuotesResponse,
  ConvertTransactionResponse,
} from '@latchkey/protocol'
import type { FastifyInstance } from 'fastify'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseAbi,
  publicActions,
  walletActions,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import type { Exchange } from '../../kit/chain/exchange.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createBuildApproveEndpoint } from './buildApproveEndpoint.ts'
import { createBuildTransactionEndpoint } from './buildTransactionEndpoint.ts'
import { createQuotesEndpoint } from './quotesEndpoint.ts'
import { nativeAddress } from './routeSource.ts'
import { createRouteSources } from './routeSources.ts'
import { createTokensEndpoint } from './tokensEndpoint.ts'

const [alice, bob] = addresses
const chainId = 'eip155:31337'
const ether = 10n ** 18n
const dollar = 10n ** 6n

let world: LocalChains
let local: LocalChain
let app: FastifyInstance
let snapshot: Hex

beforeAll(async () => {
  world = await startChains()
  local = world.chains[0]
  app = await serve(exchangeConfig(local))
})
afterAll(() => world.close())
beforeEach(async () => {
  snapshot = await createNodeClient().snapshot()
})
afterEach(() => createNodeClient().revert({ id: snapshot }))

/** The endpoints over the local chain with an exchange. */
async function serve(exchange: Exchange): Promise<FastifyInstance> {
  const { network, rpcUrl } = local
  const { caipNetworkId, name, nativeCurrency } = network
  const chains: readonly Chain[] = [
    { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens: local.tokens, exchange },
  ]
  const pools = createEndpointPools(systemClock)
  const dependencies = { chains, pools, bus: createInProcessBus(), clock: systemClock }
  const markets = { ...dependencies, sources: createRouteSources(dependencies) }
  const served = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  const endpoints = [
    createTokensEndpoint(markets),
    createQuotesEndpoint(markets),
    createBuildApproveEndpoint(markets),
    createBuildTransactionEndpoint(markets),
  ]
  mountEndpoints(served, endpoints, () => undefined)
  return served
}

const createNodeClient = () =>
  createTestClient({ mode: 'anvil', account: alice, transport: http(local.rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

const toCaipId = (address: string): string => `${chainId}:${address}`
const addressOf = (id: string): Hex => `0x${id.slice(id.lastIndexOf('0x') + 2)}`

function getTokenAddress(symbol: string): Hex {
  if (symbol === 'ETH') return nativeAddress
  if (symbol === 'WETH') return local.exchange.wrappedNative
  return local.tokens.find((each) => each.symbol === symbol)?.address ?? '0x'
}

type QuoteOptions = { from: string; to: string; amount: bigint }

const idsOf = ({ from, to, amount }: QuoteOptions) => ({
  from: toCaipId(getTokenAddress(from)),
  to: toCaipId(getTokenAddress(to)),
  amount: String(amount),
})

async function quotesOf(wanted: QuoteOptions, at = app): Promise<readonly ConvertQuote[]> {
  const response = await at.inject(`/v1/convert/quotes?${new URLSearchParams(idsOf(wanted))}`)
  expect([response.statusCode, response.body]).toMatchObject([200, expect.any(String)])
  return response.json<ConvertQuotesResponse>().quotes
}

async function getBestQuote(wanted: QuoteOptions, at = app): Promise<ConvertQuote> {
  const [best] = await quotesOf(wanted, at)
  if (best === undefined) throw new Error('There is no quote.')
  return best
}

async function build(wanted: QuoteOptions, more: object = {}, at = app): Promise<{ status: number; body: unknown }> {
  const payload = { ...idsOf(wanted), userAddress: toCaipId(alice), eip155: { slippage: 0 }, ...more }
  const response = await at.inject({ method: 'POST', url: '/v1/convert/build-transaction', payload })
  return { status: response.statusCode, body: response.json() }
}

async function send(to: Hex, data: Hex, value = 0n, account: Hex = alice): Promise<TransactionReceipt> {
  const hash = await createNodeClient().sendTransaction({ chain: null, account, to, data, value, gas: 6_000_000n })
  return waitUntilMined(createNodeClient(), hash)
}

async function approve(symbol: string, amount: bigint, at = app): Promise<void> {
  const query = new URLSearchParams({
    from: toCaipId(getTokenAddress(symbol)),
    to: toCaipId(getTokenAddress('WETH')),
    amount: String(amount),
  })
  const { tx } = (await at.inject(`/v1/convert/build-approve?${query}`)).json<ConvertApprovalResponse>()
  expect((await send(addressOf(tx.to), tx.data as Hex)).status).toBe('success')
}

async function balanceOf(symbol: string, holder: Hex = alice): Promise<bigint> {
  if (symbol === 'ETH') return createNodeClient().getBalance({ address: holder })
  return createNodeClient().readContract({
    address: getTokenAddress(symbol),
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  })
}

/** Swaps without slippage and returns the received amount. */
async function swap(wanted: QuoteOptions, quote: ConvertQuote, at = app): Promise<bigint> {
  if (wanted.from !== 'ETH') await approve(wanted.from, wanted.amount, at)
  const { status, body } = await build(wanted, { quoteId: quote.id }, at)
  expect([status, body]).toMatchObject([200, { tx: { minimum: quote.toAmount, to: quote.spender } }])
  const { tx } = body as ConvertTransactionResponse
  const before = [await balanceOf(wanted.from), await balanceOf(wanted.to)] as const
  const receipt = await send(addressOf(tx.to), tx.data as Hex, BigInt(tx.amount))
  expect(receipt.status).toBe('success')
  const paid = receipt.gasUsed * receipt.effectiveGasPrice
  const gave = before[0] - (await balanceOf(wanted.from)) - (wanted.from === 'ETH' ? paid : 0n)
  expect(gave).toBe(wanted.amount)
  expect(receipt.gasUsed).toBeLessThanOrEqual(BigInt(tx.eip155.gas))
  return (await balanceOf(wanted.to)) - before[1] + (wanted.to === 'ETH' ? paid : 0n)
}

const routeOf = ({ route = [] }: ConvertQuote): string => route.map(({ exchange }) => exchange).join(' then ')

test.each<[string, string, bigint, string]>([
  ['ETH', 'LUSD', 3n * ether, 'Uniswap v3'],
  ['WETH', 'LUSD', 3n * ether, 'Uniswap v3'],
  ['LUSD', 'ETH', 7_000n * dollar, 'Uniswap v3'],
  ['LUSD', 'WETH', 7_000n * dollar + 1n, 'Uniswap v3'],
  ['ETH', 'KEY', ether / 7n, 'Uniswap v3'],
  ['KEY', 'LUSD', ether / 3n, 'Uniswap v2'],
  ['KEY', 'LUSD', 200n * ether, 'Uniswap v3 then Uniswap v3'],
  ['LUSD', 'KEY', 2_000n * dollar, 'Uniswap v3 then Uniswap v3'],
  ['ETH', 'WETH', 5n * ether, ''],
  ['WETH', 'ETH', ether, ''],
])('swap pays exactly its quote: %s into %s, %s [R7.1.6] [R7.1.11]', async (from, to, amount, expectedRoute) => {
  if (from === 'WETH') await send(getTokenAddress('WETH'), '0xd0e30db0', 10n * ether)
  const wanted = { from, to, amount }
  const best = await getBestQuote(wanted)
  expect(routeOf(best)).toBe(expectedRoute)
  expect(await swap(wanted, best)).toBe(BigInt(best.toAmount))
})

test('swap pays exactly its quote on every route, mixed pool kinds included', async () => {
  const exchange = exchangeConfig(local)
  const mixed = await serve({ ...exchange, v3: { ...exchange.v3, fees: [500] } })
  const seen: string[] = []
  for (const at of [app, mixed]) {
    for (const wanted of [
      { from: 'KEY', to: 'LUSD', amount: 100n * ether },
      { from: 'LUSD', to: 'KEY', amount: 900n * dollar },
    ]) {
      for (const quote of await quotesOf(wanted, at)) {
        const id = await createNodeClient().snapshot()
        expect(await swap(wanted, quote, at)).toBe(BigInt(quote.toAmount))
        await createNodeClient().revert({ id })
        seen.push(routeOf(quote))
      }
    }
  }
  expect(seen).toEqual(
    expect.arrayContaining(['Uniswap v2', 'Uniswap v3 then Uniswap v2', 'Uniswap v2 then Uniswap v3']),
  )
})

test('swap uses an exchange with pairs only, from and to the native currency', async () => {
  const { wrappedNative, v2, ...exchange } = local.exchange
  expect(exchange.router).not.toBe(v2.router)
  const pairs = await serve({ wrappedNative, router: v2.router, routerKind: 'pairs', v2: { factory: v2.factory } })
  for (const wanted of [
    { from: 'ETH', to: 'LUSD', amount: ether },
    { from: 'LUSD', to: 'ETH', amount: 900n * dollar },
    { from: 'KEY', to: 'LUSD', amount: 50n * ether },
  ]) {
    const best = await getBestQuote(wanted, pairs)
    expect(await swap(wanted, best, pairs)).toBe(BigInt(best.toAmount))
  }
  const wrap = await pairs.inject(
    `/v1/convert/quotes?${new URLSearchParams(idsOf({ from: 'ETH', to: 'WETH', amount: 1n }))}`,
  )
  expect(wrap.statusCode).toBe(400)
})

test('quotes are ranked after gas: a second pool may cost more than it gains', async () => {
  const wanted = { from: 'KEY', to: 'LUSD', amount: 5n * ether }
  const request = async (gasPrice: bigint): Promise<ConvertQuotesResponse> =>
    (
      await app.inject(`/v1/convert/quotes?${new URLSearchParams({ ...idsOf(wanted), gasPrice: String(gasPrice) })}`)
    ).json()
  const [cheap, dear] = [await request(1n), await request(1_000n * 10n ** 9n)]
  expect(cheap.quotes[0]?.route).toHaveLength(2)
  expect(dear.quotes[0]?.route).toHaveLength(1)
  expect(BigInt(dear.quotes[0]?.toAmount ?? 0)).toBeLessThan(BigInt(cheap.quotes[0]?.toAmount ?? 0))
})

test('price impact compares the price with that of a tiny swap', async () => {
  const little = await getBestQuote({ from: 'ETH', to: 'LUSD', amount: ether / 1_000n })
  expect(little.priceImpact).toBeLessThan(0.01)
  // Doubling what both pools hold halves the price.
  const much = await getBestQuote({ from: 'ETH', to: 'LUSD', amount: 400n * ether })
  expect(much.priceImpact).toBeCloseTo(50, 0)
})

test('swap is rejected before sending and on the chain if the price falls below the minimum', async () => {
  const wanted = { from: 'ETH', to: 'LUSD', amount: ether }
  const agreed = await getBestQuote(wanted)
  const { body } = await build(wanted, { quoteId: agreed.id, eip155: { slippage: '1' } })
  const { tx } = body as ConvertTransactionResponse
  expect(tx.minimum).toBe(String(BigInt(agreed.toAmount) - BigInt(agreed.toAmount) / 100n))
  // Bob sells first.
  const his = await build({ ...wanted, amount: 30n * ether }, { userAddress: toCaipId(bob) })
  const { tx: sold } = his.body as ConvertTransactionResponse
  expect((await send(addressOf(sold.to), sold.data as Hex, BigInt(sold.amount), bob)).status).toBe('success')
  const late = await build(wanted, { quoteId: agreed.id, eip155: { slippage: 1 } })
  expect(late).toMatchObject({
    status: 400,
    body: { reasons: [{ field: 'slippage', description: expect.stringContaining('Too little received') }] },
  })
  const call = { account: alice, to: addressOf(tx.to), data: tx.data as Hex, value: BigInt(tx.amount) }
  await expect(createNodeClient().call(call)).rejects.toThrow('Too little received')
  expect((await send(call.to, call.data, call.value)).status).toBe('reverted')
  // Bob moved the price by less than fifteen percent.
  expect(await build(wanted, { quoteId: agreed.id, eip155: { slippage: 15.5 } })).toMatchObject({ status: 200 })
})

test('build needs no allowance without simulation, and names the missing allowance with it', async () => {
  const wanted = { from: 'LUSD', to: 'ETH', amount: dollar }
  expect(await build(wanted, { disableEstimate: true })).toMatchObject({ status: 200, body: { tx: { amount: '0' } } })
  expect(await build(wanted)).toMatchObject({
    status: 400,
    body: { reasons: [{ field: 'from', description: expect.stringContaining('allowance') }] },
  })
  expect(await build({ from: 'ETH', to: 'LUSD', amount: 10_001n * ether })).toMatchObject({
    status: 400,
    body: { reasons: [{ field: 'amount' }] },
  })
})

test('build-approve approves only the configured exchange, even if another spender is named [R7.1.12]', async () => {
  const { router } = local.exchange
  for (const to of [toCaipId(bob), toCaipId(getTokenAddress('WETH')), toCaipId(nativeAddress)]) {
    const query = new URLSearchParams({
      from: toCaipId(getTokenAddress('LUSD')),
      to,
      userAddress: toCaipId(alice),
      spender: bob,
    })
    const response = await app.inject(`/v1/convert/build-approve?${query}`)
    const everything = 'f'.repeat(64)
    expect(response.json()).toMatchObject({
      tx: {
        from: toCaipId(alice),
        to: toCaipId(getTokenAddress('LUSD')),
        data: `0x095ea7b3${router.slice(2).toLowerCase().padStart(64, '0')}${everything}`,
        value: '0',
      },
    })
  }
  await approve('LUSD', 77n)
  const args = [alice, router] as const
  const allowed = createNodeClient().readContract({
    address: getTokenAddress('LUSD'),
    abi: erc20Abi,
    functionName: 'allowance',
    args,
  })
  expect(await allowed).toBe(77n)
})

test('tokens lists the swappable tokens, native currency first [R7.1.7]', async () => {
  const response = await app.inject(`/v1/convert/tokens?chainId=${chainId}`)
  const { tokens: listed } = response.json<{ tokens: readonly { symbol: string }[] }>()
  expect(listed.map(({ symbol }) => symbol)).toEqual(['ETH', 'WETH', 'LUSD', 'KEY'])
  expect(listed[2]).toEqual({
    name: 'Latch Dollar',
    symbol: 'LUSD',
    address: toCaipId(getTokenAddress('LUSD')),
    decimals: 6,
    logoUri: null,
    eip2612: false,
  })
  const one = await app.inject(
    `/v1/convert/tokens?chainId=${chainId}&address=${toCaipId(getTokenAddress('KEY').toLowerCase())}`,
  )
  expect(one.json()).toMatchObject({ tokens: [{ symbol: 'KEY' }] })
})

const positionsAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable',
  'struct Minted { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0; uint256 amount1; uint256 min0; uint256 min1; address recipient; uint256 deadline; }',
  'function mint(Minted minted) payable',
])

test('quotes leaves out a pool whose liquidity range is too small for the amount', async () => {
  const { positions } = local.exchange.v3
  const [token0, token1] = [getTokenAddress('WETH'), getTokenAddress('KEY')].toSorted((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  )
  if (token0 === undefined || token1 === undefined) throw new Error('There are two tokens.')
  const call = (data: Hex, value = 0n): Promise<TransactionReceipt> => send(positions, data, value)
  const even = [token0, token1, 10_000, 2n ** 96n] as const
  await call(encodeFunctionData({ abi: positionsAbi, functionName: 'createAndInitializePoolIfNecessary', args: even }))
  await send(
    getTokenAddress('KEY'),
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [positions, 9n * ether] }),
  )
  const minted = {
    token0,
    token1,
    fee: 10_000,
    tickLower: -200,
    tickUpper: 200,
    amount0: ether,
    amount1: ether,
    min0: 0n,
    min1: 0n,
    recipient: alice,
    deadline: 2n ** 60n,
  }
  const mint = encodeFunctionData({ abi: positionsAbi, functionName: 'mint', args: [minted] })
  expect((await call(mint, ether)).status).toBe('success')
  const { v3, ...exchange } = exchangeConfig(local)
  const narrow = await serve({ ...exchange, v2: undefined, between: [], v3: { ...v3, fees: [10_000] } })
  const within = { from: 'ETH', to: 'KEY', amount: ether / 2n }
  const best = await getBestQuote(within, narrow)
  expect(await swap(within, best, narrow)).toBe(BigInt(best.toAmount))
  const beyond = new URLSearchParams(idsOf({ ...within, amount: 5n * ether }))
  const response = await narrow.inject(`/v1/convert/quotes?${beyond}`)
  expect([response.statusCode, response.body]).toEqual([400, expect.stringContaining('insufficient liquidity')])
})
