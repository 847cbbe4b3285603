import { expect, test } from 'vitest'
import { disconnect } from '../../connection/disconnect.ts'
import { fakeAdapter, fakeExchange, flushTasks, type ExchangeResponse } from '../../testing/fakes.ts'
import { openSwapWorld, createDeferred, ether, owner, prepareQuote } from '../../testing/swapWorld.ts'
import { parseAmount } from '../../format/amount.ts'
import {
  chooseSwapToken,
  setSlippage,
  setSwapAmount,
  setSwapAmountInDollars,
  setSwapMax,
  setSwapShare,
  setAutomaticSlippage,
  reverseSwap,
} from './chooseSwapToken.ts'
import { getPriceImpact, getSwapLimits } from './swapAmounts.ts'
import type { Transfers } from '../transfers.ts'
import { listSwapTokens } from './listSwapTokens.ts'
import { closeSwap, openSwap } from './openSwap.ts'
import { keepQuoteFresh } from './keepQuoteFresh.ts'
import { refreshQuote } from './quotes.ts'
import { swapProblem } from './swapProblem.ts'

const chainId = 'eip155:1'
const { native, dollar, contract: exchange } = fakeExchange(chainId, owner)

test('openSwap starts with the native currency, its balance and 1 percent slippage [R9.5.1]', async () => {
  const { state } = await openSwapWorld()
  expect(state()).toMatchObject({ status: 'open', from: native, to: undefined, slippage: 1, amount: '' })
  expect(state().tokens.find(({ id }) => id === native)).toMatchObject({ balance: 5n * ether })
  expect(state().tokens.find(({ id }) => id === dollar)).toMatchObject({ balance: 500_000_000n, price: 1 })
})

test('the first change requests a quote at once, and further ones 150 ms after the last', async () => {
  const { latchkey, clock, count, state } = await openSwapWorld()
  chooseSwapToken(latchkey, 'to', dollar)
  setSwapAmount(latchkey, '1')
  await expect.poll(() => state().quote).toMatchObject({ quote: { toAmount: 3_000_000_000n } })
  expect(count('/quotes')).toBe(1)
  for (const text of ['1.', '1.4', '1.5']) {
    clock.advance(149)
    setSwapAmount(latchkey, text)
  }
  clock.advance(149)
  await flushTasks()
  expect(count('/quotes')).toBe(1)
  clock.advance(1)
  await expect.poll(() => state().quote).toMatchObject({ quote: { toAmount: 4_500_000_000n, impact: 0.25 } })
  expect(count('/quotes')).toBe(2)
})

test('a response to an earlier request never replaces a newer one', async () => {
  const swap = await openSwapWorld()
  const { latchkey, clock, backend, state } = swap
  const late = createDeferred()
  backend.instead['quotes'] = async (request) => {
    if (request.query['amount'] !== String(ether)) return backend.usual(request)
    await late.promise
    return backend.usual(request)
  }
  chooseSwapToken(latchkey, 'to', dollar)
  setSwapAmount(latchkey, '1')
  clock.advance(500)
  await expect.poll(() => swap.count('/quotes')).toBe(1)
  await prepareQuote(swap, '2')
  late.resolve()
  await expect.poll(() => backend.requested.find(({ query }) => query['amount'] === String(ether))?.gone).toBe(true)
  expect(state().quote).toMatchObject({ status: 'ready', quote: { toAmount: 6_000_000_000n } })
})

test('an outdated quote is hidden while the next one is pending', async () => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '1')
  setSwapAmount(swap.latchkey, '2')
  expect(swap.state().quote).toEqual({ status: 'waiting', last: undefined })
  setSwapAmount(swap.latchkey, '')
  expect(swap.state().quote).toEqual({ status: 'none' })
})

test('the quote refreshes every ten seconds while the page is visible', async () => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '1')
  const stop = keepQuoteFresh(swap.latchkey)
  swap.backend.rate = 2_900n
  swap.clock.advance(9_999)
  expect(swap.count('/quotes')).toBe(1)
  swap.clock.advance(1)
  expect(swap.state().quote).toMatchObject({ status: 'waiting', last: { toAmount: 3_000_000_000n } })
  await expect.poll(() => swap.state().quote).toMatchObject({ quote: { toAmount: 2_900_000_000n } })
  stop()
  swap.clock.advance(60_000)
  expect(swap.count('/quotes')).toBe(2)
})

test('a new quote restarts the ten seconds to the next one', async () => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '1')
  const stop = keepQuoteFresh(swap.latchkey)
  expect(swap.state().refreshAt).toBe(swap.clock.now() + 10_000)
  swap.clock.advance(7_000)
  setSwapAmount(swap.latchkey, '2')
  await expect.poll(() => swap.state().quote).toMatchObject({ quote: { toAmount: 6_000_000_000n } })
  expect(swap.state().refreshAt).toBe(swap.clock.now() + 10_000)
  swap.clock.advance(9_999)
  expect(swap.count('/quotes')).toBe(2)
  swap.clock.advance(1)
  await expect.poll(() => swap.count('/quotes')).toBe(3)
  stop()
})

test('the balance refreshes while the page is visible', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const swap = await openSwapWorld(adapter)
  const stop = keepQuoteFresh(swap.latchkey)
  adapter.balances.set(owner, 7n * ether)
  swap.clock.advance(10_000)
  const held = () => swap.state().tokens.find(({ id }) => id === native)?.balance
  await expect.poll(held).toBe(7n * ether)
  stop()
})

test('swapProblem returns the first problem', async () => {
  const swap = await openSwapWorld()
  const { latchkey, state } = swap
  const problem = () => {
    const found = swapProblem(latchkey, state())
    return found?.code === 'failed' ? found.error.code : found?.code
  }
  expect(problem()).toBe('select-token')
  chooseSwapToken(latchkey, 'to', dollar)
  expect(problem()).toBe('enter-amount')
  for (const text of ['1,5', '0x1', '-1', '1e3', '.']) {
    setSwapAmount(latchkey, text)
    expect(problem()).toBe('incorrect-amount')
  }
  setSwapAmount(latchkey, '0.0')
  expect(problem()).toBe('enter-amount')
  setSwapAmount(latchkey, '5.1')
  expect(problem()).toBe('swap/insufficient-balance')
  setSwapAmount(latchkey, '1')
  expect(problem()).toBe('waiting')
  await prepareQuote(swap, '1')
  expect(problem()).toBeUndefined()
  await prepareQuote(swap, '4.99995')
  expect(problem()).toBe('swap/insufficient-gas')
})

const refusals: readonly [string, ExchangeResponse, string][] = [
  [
    'a lack of liquidity',
    { status: 400, body: { reasons: [{ field: '', description: 'insufficient liquidity' }] } },
    'swap/insufficient-liquidity',
  ],
  [
    'a missing route',
    { status: 400, body: { reasons: [{ field: '', description: 'There is no route.' }] } },
    'swap/no-route',
  ],
  ['no quotes', { body: { quotes: [] } }, 'swap/no-route'],
  [
    'an unknown chain',
    { status: 400, body: { reasons: [{ field: 'chainId', description: 'No.' }] } },
    'swap/unsupported',
  ],
  [
    'a provider that is down',
    { status: 503, body: { reasons: [{ field: '', description: 'down' }] } },
    'swap/quote-failed',
  ],
  ['an error of another form', { status: 500, body: 'Internal server error' }, 'swap/quote-failed'],
  ['nonsense', { body: { quotes: [{ toAmount: '-1' }] } }, 'http/invalid-response'],
  [
    'a price for another amount',
    { body: { quotes: [{ fromAmount: '7', toAmount: '1', spender: `${chainId}:${exchange}` }] } },
    'http/invalid-response',
  ],
  [
    'an exchange on another chain',
    { body: { quotes: [{ fromAmount: String(ether), toAmount: '1', spender: `eip155:2:${exchange}` }] } },
    'http/invalid-response',
  ],
]

for (const [what, response, code] of refusals) {
  test(`${what} is not reported as a lack of balance`, async () => {
    const swap = await openSwapWorld()
    swap.backend.instead['quotes'] = () => response
    await prepareQuote(swap, '1')
    expect(swap.state().quote).toMatchObject({ status: 'failed', error: { code } })
  })
}

test('a network without swaps or without gas prices is reported [R8.2.6]', async () => {
  const swap = await openSwapWorld()
  swap.backend.instead['gas-price'] = () => ({
    status: 400,
    body: { reasons: [{ field: 'chainId', description: 'No.' }] },
  })
  await prepareQuote(swap, '1')
  expect(swap.state().quote).toMatchObject({
    error: {
      code: 'swap/gas-price-unsupported',
      message: expect.stringContaining('Network not supported for Gas Price'),
    },
  })
  swap.connector.emitChain('eip155:2')
  await expect
    .poll(() => swap.state())
    .toMatchObject({
      status: 'failed',
      error: { code: 'swap/unsupported', message: expect.stringContaining('Network not supported for Swaps') },
    })
})

test('the maximum of the native currency excludes the fee', async () => {
  const swap = await openSwapWorld()
  chooseSwapToken(swap.latchkey, 'to', dollar)
  setSwapMax(swap.latchkey)
  expect(swap.state().amount).toBe('5')
  swap.clock.advance(500)
  await expect.poll(() => swap.state().quote.status).toBe('ready')
  // 100,000 gas at the fast price.
  expect(swap.state().amount).toBe('4.9997')
  expect(swapProblem(swap.latchkey, swap.state())).toBeUndefined()
  reverseSwap(swap.latchkey)
  setSwapMax(swap.latchkey)
  expect(swap.state().amount).toBe('500')
})

test('switching swaps the tokens, and so does selecting the token of the other side', async () => {
  const { latchkey, state } = await openSwapWorld()
  chooseSwapToken(latchkey, 'to', dollar)
  reverseSwap(latchkey)
  expect(state()).toMatchObject({ from: dollar, to: native })
  chooseSwapToken(latchkey, 'from', native)
  expect(state()).toMatchObject({ from: native, to: dollar })
  chooseSwapToken(latchkey, 'to', `${chainId}:0x${'1'.repeat(40)}`)
  expect(state()).toMatchObject({ from: native, to: dollar })
})

test('the slippage stays within its bounds, and both limits are rounded in favour of the user [R9.5.1]', async () => {
  const { latchkey, state } = await openSwapWorld()
  for (const percent of [0.04, 50.01, Number.NaN, -1]) expect(() => setSlippage(latchkey, percent)).toThrow('decimal')
  setSlippage(latchkey, 0.055)
  expect(state().slippage).toBe(0.06)
  setSlippage(latchkey, 50)
  const limits = (exact: 'from' | 'to', units: bigint, percent: number) => {
    const { maximum, minimum } = getSwapLimits({ request: { exact }, fromAmount: units, toAmount: units }, percent)
    return [maximum, minimum]
  }
  expect(limits('from', 999n, 1)).toEqual([999n, 990n])
  expect(limits('from', 1_000n, 0.05)).toEqual([1_000n, 1_000n])
  // A token without decimals, of which one may be worth a fortune.
  expect(limits('from', 1n, 50)).toEqual([1n, 1n])
  expect(limits('from', 3n, 50)).toEqual([3n, 2n])
  expect(limits('to', 999n, 1)).toEqual([1_008n, 999n])
  expect(limits('to', 3n, 50)).toEqual([4n, 3n])
})

test('the automatic slippage is 1 percent, and up to 3 percent where the network fee is a larger share', async () => {
  const swap = await openSwapWorld()
  swap.backend.instead['price'] = () => ({ body: { fungibles: [{ address: native, price: 3_000 }] } })
  chooseSwapToken(swap.latchkey, 'from', dollar)
  chooseSwapToken(swap.latchkey, 'from', native)
  await expect.poll(() => swap.state().tokens.find(({ id }) => id === native)?.price).toBe(3_000)
  // The fee is 0.0001 coins.
  for (const [amount, slippage] of [
    ['1', 1],
    ['0.01', 1],
    ['0.005', 2],
    ['0.001', 3],
  ] as const) {
    await prepareQuote(swap, amount)
    expect([amount, swap.state().slippage]).toEqual([amount, slippage])
  }
  setSlippage(swap.latchkey, 0.5)
  await prepareQuote(swap, '0.002')
  expect(swap.state()).toMatchObject({ slippage: 0.5, isSlippageAutomatic: false })
  setAutomaticSlippage(swap.latchkey)
  expect(swap.state()).toMatchObject({ slippage: 3, isSlippageAutomatic: true })
})

test('a missing price impact is computed from prices, or undefined', async () => {
  const swap = await openSwapWorld()
  const { backend } = swap
  backend.instead['quotes'] = (request) => {
    const { body } = backend.usual(request)
    const [quote] = (body as { quotes: object[] }).quotes
    return { body: { quotes: [{ ...quote, priceImpact: undefined }] } }
  }
  await prepareQuote(swap, '1')
  const { quote, tokens: known } = swap.state()
  if (quote.status !== 'ready') throw new Error('There is no price.')
  expect(getPriceImpact(swap.state(), quote.quote)).toBeUndefined()
  const priced = known.map((token) => (token.id === native ? { ...token, price: 3_030 } : { ...token, price: 1 }))
  expect(getPriceImpact({ ...swap.state(), tokens: priced }, quote.quote)).toBeCloseTo(0.99, 2)
})

test.each([
  ['a mispriced pool, by the lost value', 0.25, 30_000, 1, 90],
  ['a large swap, by the pools', 60, 3_000, 1, 60],
  ['a token without a price, by the pools', 0.25, 30_000, undefined, 0.25],
  ['a token whose price is 0, by the pools', 0.25, 30_000, 0, 0.25],
  ['a gain, as nothing', -3, 1_000, 1, 0],
])('the price impact is the higher loss: of %s', async (_, impact, nativePrice, price, expected) => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '1')
  const { quote, tokens: known } = swap.state()
  if (quote.status !== 'ready') throw new Error('There is no price.')
  // One coin buys 3,000 of the other token.
  const priced = known.map((token) => ({ ...token, price: token.id === native ? nativePrice : price }))
  const amounts = { ...quote.quote, impact, toAmount: 3_000n * 10n ** BigInt(quote.quote.request.to.decimals) }
  expect(getPriceImpact({ ...swap.state(), tokens: priced }, amounts)).toBeCloseTo(expected, 2)
})

test('tokens are found by name, symbol and full address, owned tokens first', async () => {
  const { state } = await openSwapWorld()
  const symbols = (found: readonly { symbol: string }[]): string[] => found.map(({ symbol }) => symbol)
  expect(symbols(listSwapTokens(state(), 'to').held)).toEqual(['LUSD', 'COIN'])
  expect(symbols(listSwapTokens(state(), 'to').all)).toEqual(['COIN', 'KEY', 'LUSD'])
  expect(symbols(listSwapTokens(state(), 'to', ' latch ').all)).toEqual(['LUSD'])
  expect(symbols(listSwapTokens(state(), 'to', `0x${'4E'.repeat(20)}`).all)).toEqual(['KEY'])
  expect(symbols(listSwapTokens(state(), 'to', '0x4e').all)).toEqual([])
})

test('the swap resets when the user leaves, or the account or network changes', async () => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '1')
  closeSwap(swap.latchkey)
  expect(swap.state()).toMatchObject({ status: 'closed', amount: '', tokens: [] })
  await openSwap(swap.latchkey)
  await prepareQuote(swap, '1')
  swap.connector.emitAccounts([`${chainId}:0x${'bb'.repeat(20)}`])
  await expect.poll(() => swap.state()).toMatchObject({ status: 'open', amount: '', to: undefined })
  await disconnect(swap.latchkey)
  expect(swap.state().status).toBe('closed')
  await openSwap(swap.latchkey)
  expect(swap.state()).toMatchObject({ status: 'failed', error: { code: 'connection/not-connected' } })
})

test('an unreachable server is reported, and the next refresh retries', async () => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '1')
  swap.backend.instead['quotes'] = () => ({ status: 502, body: '<html>' })
  await refreshQuote(swap.latchkey)
  expect(swap.state().quote).toMatchObject({ status: 'failed', error: { code: 'swap/quote-failed' } })
  delete swap.backend.instead['quotes']
  await refreshQuote(swap.latchkey)
  expect(swap.state().quote.status).toBe('ready')
  closeSwap(swap.latchkey)
})

test.each([
  ['added to the fee and to what "Max" keeps', async () => 7_000n, 7_000n],
  ['unknown, and so is the fee, if it cannot be read', async () => Promise.reject(new Error('unreachable')), undefined],
])('the data fee of a rollup is %s', async (_, estimateDataFee, added) => {
  const never = async (): Promise<never> => Promise.reject(new Error('not used'))
  const transfers: Transfers = {
    readAsset: never,
    getBalance: never,
    estimateFee: never,
    inspectReceiver: never,
    send: never,
    follow: never,
    estimateDataFee,
  }
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const swap = await openSwapWorld(Object.assign(adapter, { transfers: async () => transfers }))
  await prepareQuote(swap, '1')
  const { quote } = swap.state()
  const gas = 100_000n * 1_000_000_000n
  const fee = added === undefined ? undefined : { value: gas + added, most: 3n * gas + 2n * added }
  expect(quote).toMatchObject({ status: 'ready', quote: { fee } })
})

test('the amount can be a share of the balance, or entered in dollars', async () => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '100', dollar, native)
  setSwapShare(swap.latchkey, 25)
  expect(swap.state()).toMatchObject({ amount: '125', isMax: false })
  setSwapAmountInDollars(swap.latchkey, '12.5')
  expect(swap.state()).toMatchObject({ amount: '12.5', dollars: '12.5' })
  setSwapAmountInDollars(swap.latchkey, '1e3')
  expect(swap.state()).toMatchObject({ amount: '1e3', dollars: '1e3' })
  setSwapAmount(swap.latchkey, '3')
  expect(swap.state().dollars).toBeUndefined()
})

test('a share of the native currency leaves the fee', async () => {
  const swap = await openSwapWorld()
  await prepareQuote(swap, '1')
  const { quote } = swap.state()
  const most = quote.status === 'ready' ? (quote.quote.fee?.most ?? 0n) : 0n
  setSwapShare(swap.latchkey, 50)
  expect(parseAmount(swap.state().amount, 18)).toBe((5n * ether - most) / 2n)
})
