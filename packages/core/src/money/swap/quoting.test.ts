import { expect, test } from 'vitest'
import { disconnect } from '../../actions/disconnect.ts'
import { dismissModal, openModal } from '../../actions/navigation.ts'
import { fakeAdapter, fakeExchange, settled, type ExchangeAnswer } from '../../testing/fakes.ts'
import { begun, ether, later, owner, quoted } from '../testing/begunSwap.ts'
import { chooseSwapToken, setSlippage, setSwapAmount, setSwapMax, turnSwap } from './choosing.ts'
import { impactOf, minimumOf } from './figures.ts'
import { listSwapTokens } from './listing.ts'
import { closeSwap, openSwap } from './openSwap.ts'
import { keepQuoteFresh, refreshQuote } from './quoting.ts'
import { swapProblem } from './swapProblem.ts'

const chainId = 'eip155:1'
const { native, dollar, contract: exchange } = fakeExchange(chainId, owner)

test('begins with the coin of the network, what there is of it, and a slippage of 1 percent [R9.5.1]', async () => {
  const { state } = await begun()
  expect(state()).toMatchObject({ status: 'open', from: native, to: undefined, slippage: 1, amount: '' })
  expect(state().tokens.find(({ id }) => id === native)).toMatchObject({ balance: 5n * ether })
  expect(state().tokens.find(({ id }) => id === dollar)).toMatchObject({ balance: 500_000_000n, price: 1 })
})

test('asks for a price when typing has rested for half a second, and once [R9.1.6]', async () => {
  const { latchkey, clock, count, state } = await begun()
  chooseSwapToken(latchkey, 'to', dollar)
  for (const text of ['1', '1.', '1.5']) {
    setSwapAmount(latchkey, text)
    clock.advance(499)
  }
  await settled()
  expect(count('/quotes')).toBe(0)
  clock.advance(1)
  await expect.poll(() => state().quote).toMatchObject({ quote: { toAmount: 4_500_000_000n, impact: 0.25 } })
  expect(count('/quotes')).toBe(1)
})

test('an answer to what was asked before never takes the place of a newer one', async () => {
  const swap = await begun()
  const { latchkey, clock, backend, state } = swap
  const late = later()
  backend.instead['quotes'] = async (question) => {
    if (question.query['amount'] !== String(ether)) return backend.usual(question)
    await late.promise
    return backend.usual(question)
  }
  chooseSwapToken(latchkey, 'to', dollar)
  setSwapAmount(latchkey, '1')
  clock.advance(500)
  await expect.poll(() => swap.count('/quotes')).toBe(1)
  await quoted(swap, '2')
  late.resolve()
  await expect.poll(() => backend.asked.find(({ query }) => query['amount'] === String(ether))?.gone).toBe(true)
  expect(state().quote).toMatchObject({ status: 'ready', quote: { toAmount: 6_000_000_000n } })
})

test('shows no price that is about something else while the next one is on its way', async () => {
  const swap = await begun()
  await quoted(swap, '1')
  setSwapAmount(swap.latchkey, '2')
  expect(swap.state().quote).toEqual({ status: 'waiting', last: undefined })
  setSwapAmount(swap.latchkey, '')
  expect(swap.state().quote).toEqual({ status: 'none' })
})

test('keeps the price fresh every ten seconds for as long as somebody looks', async () => {
  const swap = await begun()
  await quoted(swap, '1')
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

test('sees what comes in while somebody looks, so that it can be given', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const swap = await begun(adapter)
  const stop = keepQuoteFresh(swap.latchkey)
  adapter.balances.set(owner, 7n * ether)
  swap.clock.advance(10_000)
  const held = () => swap.state().tokens.find(({ id }) => id === native)?.balance
  await expect.poll(held).toBe(7n * ether)
  stop()
})

test('says what is missing or in the way, the most obvious thing first', async () => {
  const swap = await begun()
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
  await quoted(swap, '1')
  expect(problem()).toBeUndefined()
  await quoted(swap, '4.99995')
  expect(problem()).toBe('swap/insufficient-gas')
})

const refusals: readonly [string, ExchangeAnswer, string][] = [
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
  ['nonsense', { body: { quotes: [{ toAmount: '-1' }] } }, 'http/invalid-answer'],
  [
    'a price for another amount',
    { body: { quotes: [{ fromAmount: '7', toAmount: '1', spender: `${chainId}:${exchange}` }] } },
    'http/invalid-answer',
  ],
  [
    'an exchange on another chain',
    { body: { quotes: [{ fromAmount: String(ether), toAmount: '1', spender: `eip155:2:${exchange}` }] } },
    'http/invalid-answer',
  ],
]

for (const [what, answer, code] of refusals) {
  test(`tells ${what} as what it is, not as a lack of balance`, async () => {
    const swap = await begun()
    swap.backend.instead['quotes'] = () => answer
    await quoted(swap, '1')
    expect(swap.state().quote).toMatchObject({ status: 'failed', error: { code } })
  })
}

test('a network without swaps is told as such, and so is one without gas prices [R8.2.6]', async () => {
  const swap = await begun()
  swap.backend.instead['gas-price'] = () => ({
    status: 400,
    body: { reasons: [{ field: 'chainId', description: 'No.' }] },
  })
  await quoted(swap, '1')
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

test('all of the coin is what is left beside what the swap may cost', async () => {
  const swap = await begun()
  chooseSwapToken(swap.latchkey, 'to', dollar)
  setSwapMax(swap.latchkey)
  expect(swap.state().amount).toBe('5')
  swap.clock.advance(500)
  await expect.poll(() => swap.state().quote.status).toBe('ready')
  // 100,000 gas at the price of those who cannot wait.
  expect(swap.state().amount).toBe('4.9997')
  expect(swapProblem(swap.latchkey, swap.state())).toBeUndefined()
  turnSwap(swap.latchkey)
  setSwapMax(swap.latchkey)
  expect(swap.state().amount).toBe('500')
})

test('turning gives what was wanted, and choosing the other token turns too', async () => {
  const { latchkey, state } = await begun()
  chooseSwapToken(latchkey, 'to', dollar)
  turnSwap(latchkey)
  expect(state()).toMatchObject({ from: dollar, to: native })
  chooseSwapToken(latchkey, 'from', native)
  expect(state()).toMatchObject({ from: native, to: dollar })
  chooseSwapToken(latchkey, 'to', `${chainId}:0x${'1'.repeat(40)}`)
  expect(state()).toMatchObject({ from: native, to: dollar })
})

test('the slippage stays within its bounds, and the minimum is cut and never rounded up [R9.5.1]', async () => {
  const { latchkey, state } = await begun()
  for (const percent of [0.04, 50.01, Number.NaN, -1]) expect(() => setSlippage(latchkey, percent)).toThrow('decimal')
  setSlippage(latchkey, 0.055)
  expect(state().slippage).toBe(0.06)
  setSlippage(latchkey, 50)
  expect([minimumOf(999n, 1), minimumOf(1_000n, 0.05), minimumOf(3n, 50)]).toEqual([989n, 999n, 1n])
})

test('a price impact that nobody told is counted from what is known, and is unknown otherwise', async () => {
  const swap = await begun()
  const { backend } = swap
  backend.instead['quotes'] = (question) => {
    const { body } = backend.usual(question)
    const [quote] = (body as { quotes: object[] }).quotes
    return { body: { quotes: [{ ...quote, priceImpact: undefined }] } }
  }
  await quoted(swap, '1')
  const { quote, tokens: known } = swap.state()
  if (quote.status !== 'ready') throw new Error('There is no price.')
  expect(impactOf(swap.state(), quote.quote)).toBeUndefined()
  const priced = known.map((token) => (token.id === native ? { ...token, price: 3_030 } : { ...token, price: 1 }))
  expect(impactOf({ ...swap.state(), tokens: priced }, quote.quote)).toBeCloseTo(0.99, 2)
})

test('tokens are found by name, symbol and whole address, and those that one has come first', async () => {
  const { state } = await begun()
  const symbols = (found: readonly { symbol: string }[]): string[] => found.map(({ symbol }) => symbol)
  expect(symbols(listSwapTokens(state(), 'to').yours)).toEqual(['LUSD', 'COIN'])
  expect(symbols(listSwapTokens(state(), 'to').all)).toEqual(['COIN', 'KEY', 'LUSD'])
  expect(symbols(listSwapTokens(state(), 'to', ' latch ').all)).toEqual(['LUSD'])
  expect(symbols(listSwapTokens(state(), 'to', `0x${'4E'.repeat(20)}`).all)).toEqual(['KEY'])
  expect(symbols(listSwapTokens(state(), 'to', '0x4e').all)).toEqual([])
})

test('who leaves begins anew; another account or network begins anew by itself', async () => {
  const swap = await begun()
  await quoted(swap, '1')
  dismissModal(swap.latchkey)
  expect(swap.state()).toMatchObject({ status: 'closed', amount: '', tokens: [] })
  openModal(swap.latchkey, { entry: { view: 'Swap', params: {} } })
  await openSwap(swap.latchkey)
  await quoted(swap, '1')
  swap.connector.emitAccounts([`${chainId}:0x${'bb'.repeat(20)}`])
  await expect.poll(() => swap.state()).toMatchObject({ status: 'open', amount: '', to: undefined })
  await disconnect(swap.latchkey)
  expect(swap.state().status).toBe('closed')
  await openSwap(swap.latchkey)
  expect(swap.state()).toMatchObject({ status: 'failed', error: { code: 'connection/not-connected' } })
})

test('a server that goes away is told, and asked again on the next look', async () => {
  const swap = await begun()
  await quoted(swap, '1')
  swap.backend.instead['quotes'] = () => ({ status: 502, body: '<html>' })
  await refreshQuote(swap.latchkey)
  expect(swap.state().quote).toMatchObject({ status: 'failed', error: { code: 'swap/quote-failed' } })
  delete swap.backend.instead['quotes']
  await refreshQuote(swap.latchkey)
  expect(swap.state().quote.status).toBe('ready')
  closeSwap(swap.latchkey)
})
