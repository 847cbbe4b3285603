import {
  addresses,
  exchangeConfig,
  startChains,
  waitUntilMined,
  type LocalChain,
  type LocalChains,
} from '@latchkey/devnet'
import type { ConvertQuote, ConvertQuotesResponse, ConvertTransactionResponse } from '@latchkey/protocol'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  parseAbi,
  publicActions,
  walletActions,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Exchange } from '../../kit/chain/exchange.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { createBuildTransactionEndpoint } from './buildTransactionEndpoint.ts'
import { createQuotesEndpoint } from './quotesEndpoint.ts'
import { createRouteSources } from './routeSources.ts'
import { nativeAddress } from './routeSource.ts'
import { createTokensEndpoint } from './tokensEndpoint.ts'

const [alice, bob] = addresses
const chainId = 'eip155:31337'
const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])
const ether = 10n ** 18n
const dollar = 10n ** 6n

let world: LocalChains
let local: LocalChain
let app: FastifyInstance
let snapshot: Hex

beforeAll(async () => {
  world = await startChains()
  local = world.chains[0]
  app = await serve({ exchange: exchangeConfig(local) })
})
afterAll(() => world.close())
beforeEach(async () => {
  snapshot = await createNodeClient().snapshot()
})
afterEach(() => createNodeClient().revert({ id: snapshot }))

type Market = { exchange?: Exchange; swapProvider?: { kind: '0x'; key: string; url: string } }

async function serve(market: Market): Promise<FastifyInstance> {
  const { network, rpcUrl, tokens } = local
  const { caipNetworkId, name, nativeCurrency } = network
  const chains = [{ caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens, ...market }]
  const pools = createEndpointPools(systemClock)
  const dependencies = { chains, pools, bus: createInProcessBus(), clock: systemClock }
  const markets = { ...dependencies, sources: createRouteSources(dependencies) }
  const served = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  const endpoints = [
    createTokensEndpoint(markets),
    createQuotesEndpoint(markets),
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

function getTokenAddress(symbol: string): Hex {
  if (symbol === 'ETH') return nativeAddress
  if (symbol === 'WETH') return local.exchange.wrappedNative
  return local.tokens.find((each) => each.symbol === symbol)?.address ?? '0x'
}

type QuoteOptions = { from: string; to: string; amount: bigint | string }

const fieldsOf = ({ from, to, amount }: QuoteOptions) => ({
  from: toCaipId(getTokenAddress(from)),
  to: toCaipId(getTokenAddress(to)),
  amount: String(amount),
  exact: 'output',
})

type Reply = { status: number; body: unknown }

async function request(wanted: QuoteOptions, at = app, more: Record<string, string> = {}): Promise<Reply> {
  const response = await at.inject(`/v1/convert/quotes?${new URLSearchParams({ ...fieldsOf(wanted), ...more })}`)
  return { status: response.statusCode, body: response.json() }
}

async function quotesOf(wanted: QuoteOptions, at = app): Promise<readonly ConvertQuote[]> {
  const { status, body } = await request(wanted, at)
  expect([status, body]).toMatchObject([200, expect.anything()])
  return (body as ConvertQuotesResponse).quotes
}

async function getBestQuote(wanted: QuoteOptions, at = app): Promise<ConvertQuote> {
  const [best] = await quotesOf(wanted, at)
  if (best === undefined) throw new Error('There is no quote.')
  return best
}

async function build(wanted: QuoteOptions, more: object = {}, at = app): Promise<Reply> {
  const payload = { ...fieldsOf(wanted), userAddress: toCaipId(alice), eip155: { slippage: 0 }, ...more }
  const response = await at.inject({ method: 'POST', url: '/v1/convert/build-transaction', payload })
  return { status: response.statusCode, body: response.json() }
}

async function buildTransaction(
  wanted: QuoteOptions,
  more: object = {},
  at = app,
): Promise<ConvertTransactionResponse['tx']> {
  const { status, body } = await build(wanted, more, at)
  expect([status, body]).toMatchObject([200, expect.anything()])
  return (body as ConvertTransactionResponse).tx
}

async function send(to: Hex, data: Hex, value = 0n, account: Hex = alice): Promise<TransactionReceipt> {
  const hash = await createNodeClient().sendTransaction({ chain: null, account, to, data, value, gas: 6_000_000n })
  return waitUntilMined(createNodeClient(), hash)
}

const submit = ({ to, data, amount }: ConvertTransactionResponse['tx'], account?: Hex): Promise<TransactionReceipt> =>
  send(`0x${to.slice(to.lastIndexOf('0x') + 2)}`, data as Hex, BigInt(amount), account)

/** Approves everything, so that only the transaction itself limits what is taken. */
async function approveAll(symbol: string, spender: Hex): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })
  expect((await send(getTokenAddress(symbol), data)).status).toBe('success')
}

async function balanceOf(symbol: string): Promise<bigint> {
  if (symbol === 'ETH') return createNodeClient().getBalance({ address: alice })
  return createNodeClient().readContract({
    address: getTokenAddress(symbol),
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [alice],
  })
}

type Result = { status: string; sold: bigint; got: bigint }

/** Submits a transaction and returns what it took and gave, without gas. */
async function resultOf({ from, to }: QuoteOptions, tx: ConvertTransactionResponse['tx']): Promise<Result> {
  const before = [await balanceOf(from), await balanceOf(to)] as const
  const { status, gasUsed, effectiveGasPrice } = await submit(tx)
  const gas = gasUsed * effectiveGasPrice
  const sold = before[0] - (await balanceOf(from)) - (from === 'ETH' ? gas : 0n)
  return { status, sold, got: (await balanceOf(to)) - before[1] + (to === 'ETH' ? gas : 0n) }
}

/** Swaps with one percent slippage at an unchanged price. */
async function swap(wanted: QuoteOptions, quote: ConvertQuote, at = app): Promise<Result> {
  if (wanted.from !== 'ETH') await approveAll(wanted.from, `0x${quote.spender?.split('0x')[1]}`)
  return resultOf(wanted, await buildTransaction(wanted, { quoteId: quote.id, eip155: { slippage: 1 } }, at))
}

const routeOf = ({ route = [] }: ConvertQuote): string => route.map(({ exchange }) => exchange).join(' then ')

test.each<[string, string, bigint, string]>([
  ['ETH', 'LUSD', 7_000n * dollar, 'Uniswap v3'],
  ['WETH', 'LUSD', 7_000n * dollar, 'Uniswap v3'],
  ['LUSD', 'ETH', 3n * ether, 'Uniswap v3'],
  ['LUSD', 'WETH', 3n * ether + 1n, 'Uniswap v3'],
  // At twenty, the lower fee of v2 and the lower price of v3 are equal within the change of the base fee.
  ['ETH', 'KEY', 10n * ether, 'Uniswap v2'],
  ['KEY', 'LUSD', 1_500n * dollar, 'Uniswap v3 then Uniswap v3'],
  ['LUSD', 'KEY', 200n * ether, 'Uniswap v3 then Uniswap v3'],
  ['ETH', 'LUSD', 1n, 'Uniswap v2'],
  ['ETH', 'WETH', 5n * ether, ''],
  ['WETH', 'ETH', ether, ''],
])('exact output takes exactly its quote: %s into %s, %s [R7.1.6] [R7.1.11]', async (from, to, amount, route) => {
  if (from === 'WETH') await send(getTokenAddress('WETH'), '0xd0e30db0', 50n * ether)
  const wanted = { from, to, amount }
  const best = await getBestQuote(wanted)
  expect([routeOf(best), best.toAmount]).toEqual([route, String(amount)])
  const { status, sold, got } = await swap(wanted, best)
  expect([status, sold]).toEqual(['success', BigInt(best.fromAmount)])
  expectExactly(got, amount)
})

/** Pairs may give a little more, because one base unit of the sold token is worth more than one of the received token. */
function expectExactly(got: bigint, amount: bigint): void {
  expect(got).toBeGreaterThanOrEqual(amount)
  expect(got - amount).toBeLessThanOrEqual(amount / 100_000_000n + 1n)
}

test('exact output takes exactly its quote on every route', async () => {
  const seen: string[] = []
  for (const wanted of [
    { from: 'KEY', to: 'LUSD', amount: 900n * dollar },
    { from: 'LUSD', to: 'KEY', amount: 100n * ether },
  ]) {
    for (const quote of await quotesOf(wanted)) {
      const id = await createNodeClient().snapshot()
      const { sold, got } = await swap(wanted, quote)
      expect(sold).toBe(BigInt(quote.fromAmount))
      expectExactly(got, wanted.amount)
      await createNodeClient().revert({ id })
      seen.push(routeOf(quote))
    }
  }
  expect(seen).toEqual(expect.arrayContaining(['Uniswap v2', 'Uniswap v3 then Uniswap v3']))
})

test('exact output uses an exchange with pairs only, from and to the native currency', async () => {
  const { wrappedNative, v2 } = local.exchange
  const exchange = { wrappedNative, router: v2.router, routerKind: 'pairs', v2: { factory: v2.factory } } as const
  const pairs = await serve({ exchange })
  for (const wanted of [
    { from: 'ETH', to: 'LUSD', amount: 900n * dollar },
    { from: 'LUSD', to: 'ETH', amount: ether },
    { from: 'KEY', to: 'LUSD', amount: 50n * dollar },
  ]) {
    const best = await getBestQuote(wanted, pairs)
    const { status, sold, got } = await swap(wanted, best, pairs)
    expect([status, sold]).toEqual(['success', BigInt(best.fromAmount)])
    expectExactly(got, wanted.amount)
  }
})

test('exact output is the cheapest route after gas, and agrees with the exact input', async () => {
  const wanted = { from: 'KEY', to: 'LUSD', amount: 20n * dollar }
  const cheap = ((await request(wanted, app, { gasPrice: '1' })).body as ConvertQuotesResponse).quotes
  const dear = ((await request(wanted, app, { gasPrice: String(10n ** 12n) })).body as ConvertQuotesResponse).quotes
  expect([cheap[0]?.route?.length, dear[0]?.route?.length]).toEqual([2, 1])
  const amount = cheap[0]?.fromAmount ?? ''
  const back = await request({ ...wanted, amount }, app, { exact: 'input', gasPrice: '1' })
  expect(back.body).toMatchObject({ quotes: [{ toAmount: expect.stringMatching(/^2000000\d$/) }, {}, {}] })
})

test(
  'an exact output never takes more than its maximum, however the price moves [R7.1.11]',
  { tags: 'faults' },
  async () => {
    await approveAll('LUSD', local.exchange.router)
    await approveAll('KEY', local.exchange.router)
    for (const symbol of ['LUSD', 'KEY']) await mint(symbol, 100_000n * ether, alice)
    const outcomes = new Set<string>()
    const swaps = fc.constantFrom<QuoteOptions>(
      { from: 'ETH', to: 'LUSD', amount: 5_000n * dollar },
      { from: 'LUSD', to: 'ETH', amount: 2n * ether },
      { from: 'KEY', to: 'LUSD', amount: 500n * dollar },
    )
    const property = fc.asyncProperty(
      swaps,
      fc.integer({ min: 0, max: 500 }),
      fc.integer({ min: 0, max: 60 }),
      async (wanted, hundredths, others) => {
        const id = await createNodeClient().snapshot()
        const quote = await getBestQuote(wanted)
        const tx = await buildTransaction(wanted, {
          quoteId: quote.id,
          eip155: { slippage: hundredths / 100 },
          disableEstimate: true,
        })
        const maximum = BigInt(quote.fromAmount) + (BigInt(quote.fromAmount) * BigInt(hundredths)) / 10_000n
        expect([tx.maximum, tx.minimum]).toEqual([String(maximum), String(wanted.amount)])
        expect(BigInt(tx.amount)).toBe(wanted.from === 'ETH' ? maximum : 0n)
        await buyFirst(wanted, others)
        const { status, sold, got } = await resultOf(wanted, tx)
        if (status === 'success') expectExactly(got, BigInt(wanted.amount))
        else expect([sold, got]).toEqual([0n, 0n])
        expect(sold).toBeLessThanOrEqual(maximum)
        outcomes.add(`${status}${sold > BigInt(quote.fromAmount) ? ', dearer' : ''}`)
        await createNodeClient().revert({ id })
      },
    )
    await fc.assert(property, { numRuns: 25, seed: 7 })
    // All cases occurred: an unchanged price, a worse one within the slippage, and one beyond it.
    expect([...outcomes].toSorted()).toEqual(['reverted', 'success', 'success, dearer'])
  },
)

async function mint(symbol: string, amount: bigint, receiver: Hex): Promise<void> {
  const args = [receiver, amount] as const
  await send(getTokenAddress(symbol), encodeFunctionData({ abi: mintAbi, functionName: 'mint', args }))
}

/** Bob trades in the same direction first, so that the price gets worse. */
async function buyFirst({ from, to }: QuoteOptions, hundredths: number): Promise<void> {
  if (hundredths === 0) return
  const of = { ETH: ether, KEY: 100n * ether, LUSD: 2_500n * dollar }[from] ?? 0n
  const amount = String((of * BigInt(hundredths)) / 10n)
  if (from !== 'ETH') {
    await mint(from, BigInt(amount), bob)
    const args = [local.exchange.router, maxUint256] as const
    await send(getTokenAddress(from), encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }), 0n, bob)
  }
  const payload = { exact: 'input', amount, userAddress: toCaipId(bob), eip155: { slippage: 50 } }
  expect((await submit(await buildTransaction({ from, to, amount }, payload), bob)).status).toBe('success')
}

const createRefusal = (field: string, description: unknown = expect.any(String)) => ({
  status: 400,
  body: { status: 'FAILED', reasons: [{ field, description }] },
})

test('an exact output whose price moved is rejected before it is sent', async () => {
  const wanted = { from: 'ETH', to: 'LUSD', amount: 5_000n * dollar }
  const { id: quoteId } = await getBestQuote(wanted)
  await buyFirst(wanted, 300)
  const moved = createRefusal('slippage', expect.stringContaining('Too much requested'))
  expect(await build(wanted, { quoteId, eip155: { slippage: 1 } })).toMatchObject(moved)
  expect(await build(wanted, { quoteId, eip155: { slippage: 40 } })).toMatchObject({ status: 200 })
})

test.each<[string, Partial<QuoteOptions>, ReturnType<typeof createRefusal>]>([
  ['of 0', { amount: '0' }, createRefusal('amount')],
  ['of half a unit', { amount: '0.5' }, createRefusal('amount')],
  ['with 78 digits', { amount: '9'.repeat(78) }, createRefusal('amount')],
  ['of all that the pools have', { amount: 2n ** 127n }, createRefusal('amount', expect.stringContaining('liquidity'))],
  [
    'of more than the pools have',
    { amount: 10n ** 24n },
    createRefusal('amount', expect.stringContaining('liquidity')),
  ],
  [
    'worth less than a base unit of the sold token',
    { from: 'LUSD', to: 'ETH', amount: 1n },
    createRefusal('amount', expect.stringContaining('too small')),
  ],
  ['of something that is not a token', { to: 'NONE' }, createRefusal('to')],
])('an exact output %s is rejected', async (_, change, reply) => {
  const wanted = { from: 'ETH', to: 'LUSD', amount: dollar, ...change }
  expect(await request(wanted)).toMatchObject(reply)
  expect(await build(wanted)).toMatchObject(reply)
})

test('an exact output with 400 digits is rejected', async () => {
  const wanted = { from: 'ETH', to: 'LUSD', amount: '9'.repeat(400) }
  expect((await request(wanted)).status).toBe(400)
  expect((await build(wanted)).status).toBe(400)
})

test('an exact side that does not exist is rejected', async () => {
  const wanted = { from: 'ETH', to: 'LUSD', amount: dollar }
  expect((await request(wanted, app, { exact: 'both' })).status).toBe(400)
  expect((await build(wanted, { exact: 1 })).status).toBe(400)
})

test('a quote of one side is not accepted for the other side', async () => {
  const wanted = { from: 'ETH', to: 'LUSD', amount: dollar }
  const output = await getBestQuote(wanted)
  const sold = { ...wanted, amount: output.fromAmount }
  const input = ((await request(sold, app, { exact: 'input' })).body as ConvertQuotesResponse).quotes[0]
  expect(await build(wanted, { quoteId: input?.id })).toMatchObject(createRefusal('quoteId'))
  const asInput = { quoteId: output.id, exact: 'input', amount: output.fromAmount }
  expect(await build(wanted, asInput)).toMatchObject(createRefusal('quoteId'))
  expect(await build({ ...wanted, amount: dollar + 1n }, { quoteId: output.id })).toMatchObject(
    createRefusal('quoteId'),
  )
  const fields = JSON.parse(Buffer.from(output.id ?? '', 'base64url').toString()) as unknown[]
  const weth = getTokenAddress('WETH').toLowerCase()
  for (const hops of [
    [],
    [
      ['v2', 3_000, weth],
      ['v3', 500, getTokenAddress('LUSD').toLowerCase()],
    ],
  ]) {
    const forged = fields.map((field, index) => (index === 7 ? hops : field))
    const quoteId = Buffer.from(JSON.stringify(forged)).toString('base64url')
    expect(await build(wanted, { quoteId, disableEstimate: true })).toMatchObject(createRefusal('quoteId'))
  }
})

test('a provider without exact-output quotes declares that, and rejects them', async () => {
  const served = await serve({ swapProvider: { kind: '0x', key: 'k', url: 'http://127.0.0.1:1' } })
  const wanted = { from: 'ETH', to: 'LUSD', amount: dollar }
  expect(await request(wanted, served)).toMatchObject(createRefusal('exact'))
  expect(await build(wanted, {}, served)).toMatchObject(createRefusal('exact'))
  const tokens = async (at: FastifyInstance): Promise<unknown> =>
    (await at.inject(`/v1/convert/tokens?chainId=${chainId}`)).json()
  expect(await tokens(served)).toMatchObject({ exactOutput: false })
  expect(await tokens(app)).toMatchObject({ exactOutput: true })
})
