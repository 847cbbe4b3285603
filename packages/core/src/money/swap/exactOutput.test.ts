import { expect, test } from 'vitest'
import { fakeExchange } from '../../testing/fakes.ts'
import { ether, openSwapWorld, owner, type SwapWorld } from '../../testing/swapWorld.ts'
import { approveSwap } from './approveSwap.ts'
import { chooseSwapToken, reverseSwap, setSwapAmount, setSwapMax, setSwapReceivedAmount } from './chooseSwapToken.ts'
import { refreshOrder, reviewSwap } from './reviewSwap.ts'
import { swapNow } from './swapNow.ts'
import { getSwapUnits, swapProblem } from './swapProblem.ts'

const chainId = 'eip155:1'
const { native, dollar, key, contract: exchange } = fakeExchange(chainId, owner)

/** Selects the tokens, sets the amount to receive, and waits for the quote. */
async function requestExactOutput(swap: SwapWorld, amount: string, from = native, to = dollar): Promise<void> {
  const { latchkey, clock, state } = swap
  chooseSwapToken(latchkey, 'to', to)
  chooseSwapToken(latchkey, 'from', from)
  chooseSwapToken(latchkey, 'to', to)
  setSwapReceivedAmount(latchkey, amount)
  clock.advance(500)
  await expect.poll(() => state().quote.status, { interval: 5 }).not.toBe('waiting')
}

const problemOf = ({ latchkey, state }: SwapWorld): string | undefined => {
  const found = swapProblem(latchkey, state())
  return found?.code === 'failed' ? found.error.code : found?.code
}

const listAllowances = ({ adapter }: SwapWorld): readonly bigint[] =>
  adapter.sent.flatMap(({ request: { data = '0x' } }) =>
    data.startsWith('0x095ea7b3') ? [BigInt(`0x${data.slice(-64)}`)] : [],
  )

test('an amount to receive is quoted with the amount to give', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '1500')
  expect(swap.state()).toMatchObject({ exact: 'to', amount: '1500' })
  const quote = { fromAmount: ether / 2n, toAmount: 1_500_000_000n, request: { exact: 'to', amount: 1_500_000_000n } }
  expect(swap.state().quote).toMatchObject({ status: 'ready', quote })
  expect(swap.backend.requested.findLast(({ path }) => path.endsWith('/quotes'))?.query).toMatchObject({
    amount: '1500000000',
    exact: 'output',
  })
  expect([getSwapUnits(swap.state(), 'from'), getSwapUnits(swap.state(), 'to')]).toEqual([ether / 2n, 1_500_000_000n])
  setSwapAmount(swap.latchkey, '1')
  expect(swap.state()).toMatchObject({ exact: 'from', amount: '1', quote: { last: undefined } })
})

test('the coin of an exact output is sent up to the shown maximum and no more', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '1500')
  await reviewSwap(swap.latchkey).prepared
  const maximum = (ether / 2n / 100n) * 101n
  expect(swap.state().order).toMatchObject({ status: 'ready', step: 'swap', maximum, minimum: 1_500_000_000n })
  const sent = await swapNow(swap.latchkey)
  expect(await sent?.outcome).toMatchObject({ status: 'mined' })
  expect(swap.adapter.sent.map(({ request }) => request.value)).toEqual([maximum])
})

test('a server that takes more than the maximum of an exact output is refused', async () => {
  for (const [name, value] of [
    ['amount', String(ether)],
    ['maximum', String(ether)],
    ['maximum', undefined],
  ] as const) {
    const swap = await openSwapWorld()
    swap.backend.instead['build-transaction'] = (request) => {
      const { tx } = Object(swap.backend.usual(request).body)
      return { body: { tx: { ...tx, [name]: value } } }
    }
    await requestExactOutput(swap, '1500')
    await reviewSwap(swap.latchkey).prepared
    expect(swap.state().order).toMatchObject({ status: 'failed', error: { code: 'swap/refused' } })
    expect(swap.requests()).toBe(0)
  }
})

test('exactly the maximum of an exact output is approved, and stays approved when the price moves', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '0.04', dollar, key)
  await reviewSwap(swap.latchkey).prepared
  expect(swap.state().order).toMatchObject({ step: 'approve', maximum: 121_200_000n, minimum: ether / 25n })
  swap.backend.instead['allowance'] = () => ({ body: { allowance: swap.adapter.sent.length > 0 ? '121200000' : '0' } })
  // The price rises by half the slippage while the approval is mined.
  swap.backend.rate = 3_015n
  await approveSwap(swap.latchkey)
  expect(listAllowances(swap)).toEqual([121_200_000n])
  expect(swap.state().order).toMatchObject({ step: 'swap', maximum: 121_200_000n })
  await refreshOrder(swap.latchkey)
  expect(swap.state().order).toMatchObject({ step: 'swap', maximum: 121_200_000n })
  expect(await (await swapNow(swap.latchkey))?.outcome).toMatchObject({ status: 'mined' })
  expect(swap.adapter.sent[1]?.request).toMatchObject({ to: exchange, value: 0n })
})

test('a price beyond an approved maximum is shown, and needs another approval', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '0.04', dollar, key)
  await reviewSwap(swap.latchkey).prepared
  swap.backend.instead['allowance'] = () => ({ body: { allowance: swap.adapter.sent.length > 0 ? '121200000' : '0' } })
  await approveSwap(swap.latchkey)
  swap.backend.rate = 3_100n
  expect(await swapNow(swap.latchkey)).toBeUndefined()
  expect(swap.requests()).toBe(1)
  expect(swap.state().order).toMatchObject({
    step: 'approve',
    maximum: 125_240_000n,
    error: { code: 'swap/price-moved' },
  })
})

test('an approved quote is renewed before the server rejects it', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '0.04', dollar, key)
  await reviewSwap(swap.latchkey).prepared
  swap.backend.instead['allowance'] = () => ({ body: { allowance: swap.adapter.sent.length > 0 ? '121200000' : '0' } })
  await approveSwap(swap.latchkey)
  swap.backend.rate = 2_990n
  swap.clock.advance(239_000)
  await refreshOrder(swap.latchkey)
  expect(swap.state().order).toMatchObject({ acceptedQuote: { fromAmount: 120_000_000n } })
  swap.clock.advance(1_000)
  await refreshOrder(swap.latchkey)
  expect(swap.state().order).toMatchObject({ acceptedQuote: { fromAmount: 119_600_000n }, step: 'swap' })
})

test('bad amounts to receive are reported and never quoted', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '1')
  const requested = swap.count('/quotes')
  for (const [text, code] of [
    ['', 'enter-amount'],
    ['0', 'enter-amount'],
    ['0.0000001', 'enter-amount'],
    ['-1', 'incorrect-amount'],
    ['1e3', 'incorrect-amount'],
    ['1,5', 'incorrect-amount'],
    ['9'.repeat(400), 'incorrect-amount'],
  ] as const) {
    setSwapReceivedAmount(swap.latchkey, text)
    swap.clock.advance(500)
    expect([text.length, problemOf(swap)]).toEqual([text.length, code])
    expect(swap.state().quote).toEqual({ status: 'none' })
  }
  expect(swap.count('/quotes')).toBe(requested)
})

test('an amount to receive that costs more than the balance, with the slippage, is not offered', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '15001')
  expect(problemOf(swap)).toBe('swap/insufficient-balance')
  // 4.96 coins, and 5.0096 with the slippage.
  await requestExactOutput(swap, '14880')
  expect(problemOf(swap)).toBe('swap/insufficient-balance')
  // 4.95 coins, and 4.9995 with the slippage, which leaves enough for the fee.
  await requestExactOutput(swap, '14850')
  expect(problemOf(swap)).toBeUndefined()
  expect(reviewSwap(swap.latchkey).isShown).toBe(true)
})

test('one base unit to receive costs at least one base unit', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '0.000000000000000001', dollar, key)
  expect(swap.state().quote).toMatchObject({ status: 'ready', quote: { fromAmount: 1n, toAmount: 1n } })
  expect(problemOf(swap)).toBeUndefined()
})

test.each<[string, object, string]>([
  ['a lack of liquidity', { field: 'amount', description: 'insufficient liquidity' }, 'swap/insufficient-liquidity'],
  ['a token that can not be exact', { field: 'exact', description: 'No.' }, 'swap/exact-output-unsupported'],
])('%s is reported', async (_, reason, code) => {
  const swap = await openSwapWorld()
  swap.backend.instead['quotes'] = () => ({ status: 400, body: { reasons: [reason] } })
  await requestExactOutput(swap, '1')
  expect(problemOf(swap)).toBe(code)
})

test('a quote that gives another amount than the exact one is invalid', async () => {
  const swap = await openSwapWorld()
  for (const change of [
    { toAmount: '1499999999' },
    { toAmount: '1500000001' },
    { fromAmount: '0' },
    { fromAmount: 1 },
  ]) {
    swap.backend.instead['quotes'] = (request) => {
      const { quotes } = Object(swap.backend.usual(request).body)
      return { body: { quotes: [{ ...quotes[0], ...change }] } }
    }
    await requestExactOutput(swap, '1500')
    expect(problemOf(swap)).toBe('http/invalid-response')
  }
})

test('a moved price of an exact output is recognised by the refusal of the server', async () => {
  const swap = await openSwapWorld()
  swap.backend.instead['build-transaction'] = () => ({
    status: 400,
    body: { reasons: [{ field: 'slippage', description: 'Too much requested: the price has moved.' }] },
  })
  await requestExactOutput(swap, '1500')
  await reviewSwap(swap.latchkey).prepared
  expect(swap.state().order).toMatchObject({ status: 'failed', error: { code: 'swap/price-moved' } })
})

test('an exchange that quotes no exact output ignores an amount to receive', async () => {
  const swap = await openSwapWorld()
  const { exact, quotesOutput } = swap.state()
  expect([exact, quotesOutput]).toEqual(['from', true])
  swap.backend.quotesOutput = false
  swap.connector.emitChain('eip155:2')
  swap.connector.emitChain('eip155:1')
  await expect.poll(() => swap.state()).toMatchObject({ status: 'open', quotesOutput: false })
  setSwapReceivedAmount(swap.latchkey, '7')
  expect(swap.state()).toMatchObject({ exact: 'from', amount: '' })
})

test('the maximum, and reversing the tokens, make the given amount exact', async () => {
  const swap = await openSwapWorld()
  await requestExactOutput(swap, '1500')
  reverseSwap(swap.latchkey)
  expect(swap.state()).toMatchObject({ exact: 'from', amount: '1500', from: dollar, to: native })
  setSwapReceivedAmount(swap.latchkey, '0.1')
  setSwapMax(swap.latchkey)
  expect(swap.state()).toMatchObject({ exact: 'from', amount: '500' })
})
