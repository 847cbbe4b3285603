import { expect, test } from 'vitest'
import { fakeExchange } from '../../testing/fakes.ts'
import {
  createBatchingAdapter,
  ether,
  openSwapWorld,
  owner,
  prepareReview,
  type SwapWorld,
} from '../../testing/swapWorld.ts'
import { pendingTransactions, type CallsOutcome, type PendingTransaction } from '../pending/index.ts'
import type { Transfers } from '../transfers.ts'
import { approveSwap } from './approveSwap.ts'
import { refreshOrder } from './reviewSwap.ts'
import { swapNow } from './swapNow.ts'

const chainId = 'eip155:1'
const { dollar, key, contract: exchange } = fakeExchange(chainId, owner)
const swapData = '0x12345678'

const encodeWord = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')
const encodeApproval = (spender: string, amount: bigint): string =>
  `0x095ea7b3${encodeWord(spender)}${encodeWord(amount)}`

async function outcomeOf({ latchkey }: SwapWorld): Promise<CallsOutcome | undefined> {
  return (await swapNow(latchkey))?.outcome
}

test('a token is approved for exactly the amount, and then swapped', async () => {
  const swap = await openSwapWorld()
  await prepareReview(swap, '120.5', dollar, key)
  expect(swap.state().order).toMatchObject({ status: 'ready', step: 'approve' })
  swap.backend.instead['allowance'] = () => ({ body: { allowance: swap.adapter.sent.length > 0 ? '120500000' : '0' } })
  await Promise.all([approveSwap(swap.latchkey), approveSwap(swap.latchkey)])
  expect(swap.adapter.sent.map(({ request }) => request)).toEqual([
    { to: dollar.slice(chainId.length + 1), data: encodeApproval(exchange, 120_500_000n) },
  ])
  expect(swap.state().order).toMatchObject({ status: 'ready', step: 'swap' })
  expect(await outcomeOf(swap)).toMatchObject({ status: 'mined' })
  expect(swap.adapter.sent[1]?.request).toEqual({ to: exchange, value: 0n, gas: 100_000n, data: swapData })
})

test('a price beyond the slippage sends no request, and shows the new price', async () => {
  const swap = await openSwapWorld()
  await prepareReview(swap, '1')
  swap.backend.rate = 2_969n
  expect(await outcomeOf(swap)).toBeUndefined()
  expect(swap.requests()).toBe(0)
  expect(swap.state().order).toMatchObject({
    status: 'ready',
    acceptedQuote: { toAmount: 2_969_000_000n },
    minimum: 2_939_310_000n,
    error: { code: 'swap/price-moved' },
  })
  expect(await outcomeOf(swap)).toMatchObject({ status: 'mined' })
})

test('a price within the slippage is accepted', async () => {
  const swap = await openSwapWorld()
  await prepareReview(swap, '1')
  swap.backend.rate = 2_970n
  expect(await outcomeOf(swap)).toMatchObject({ status: 'mined' })
})

test('a balance that fell since the review is detected before the wallet request', async () => {
  const swap = await openSwapWorld()
  await prepareReview(swap, '4')
  swap.adapter.balances.set(owner, ether)
  await outcomeOf(swap)
  expect(swap.requests()).toBe(0)
  expect(swap.state().order).toMatchObject({ error: { code: 'swap/insufficient-balance' } })
})

test('an unreadable allowance and a failing swap have different errors', async () => {
  const swap = await openSwapWorld()
  swap.backend.instead['allowance'] = () => ({ status: 503, body: {} })
  await prepareReview(swap, '100', dollar, key)
  expect(swap.state().order).toMatchObject({ status: 'failed', error: { code: 'swap/allowance-failed' } })
  delete swap.backend.instead['allowance']
  swap.backend.allowance = 10n ** 30n
  swap.backend.instead['build-transaction'] = () => ({
    status: 400,
    body: { reasons: [{ field: '', description: 'The transfer is\n paused.' }] },
  })
  await refreshOrder(swap.latchkey)
  expect(swap.state().order).toMatchObject({
    status: 'failed',
    error: { code: 'swap/would-fail', context: { reason: 'The transfer is paused.' } },
  })
})

test('a reverted approval is reported with its reason, and stops the swap', async () => {
  const swap = await openSwapWorld()
  await prepareReview(swap, '100', dollar, key)
  swap.adapter.revertsWith = 'not today'
  await approveSwap(swap.latchkey)
  expect(swap.state().order).toMatchObject({
    status: 'ready',
    step: 'approve',
    error: { code: 'swap/approval-failed', context: { symbol: 'LUSD', reason: 'not today' } },
  })
})

test.each([
  ['other', [], 'approve'],
  ['repriced', ['approve'], 'swap'],
] as const)('an approval that was replaced (%s) has the done steps %j', async (how, doneSteps, step) => {
  const swap = await openSwapWorld()
  await prepareReview(swap, '100', dollar, key)
  swap.backend.instead['allowance'] = () => ({ body: { allowance: how === 'repriced' ? '100000000' : '0' } })
  const transfers = {
    follow: async (_network: unknown, _from: unknown, { hash }: { hash: string }) =>
      ({ status: 'replaced', hash, by: '0xb', how }) as const,
  }
  // Only the outcome is asked for.
  swap.adapter.transfers = async () => transfers as unknown as Transfers
  await approveSwap(swap.latchkey)
  expect(swap.state()).toMatchObject({ doneSteps, order: { status: 'ready', step } })
})

test('a wallet with atomic batches gets one request for both', async () => {
  const { adapter, batches } = createBatchingAdapter()
  const swap = await openSwapWorld(adapter)
  await prepareReview(swap, '100', dollar, key)
  expect(swap.state().order).toMatchObject({ status: 'ready', step: 'batch' })
  expect(await outcomeOf(swap)).toMatchObject({ status: 'mined' })
  expect(batches).toEqual([
    {
      atomic: true,
      calls: [
        { to: dollar.slice(chainId.length + 1), data: encodeApproval(exchange, 100_000_000n) },
        { to: exchange, data: swapData, value: 0n },
      ],
    },
  ])
})

test('a batch is pending under its id until the wallet reports the outcome', async () => {
  const { adapter } = createBatchingAdapter()
  const swap = await openSwapWorld(adapter)
  await prepareReview(swap, '100', dollar, key)
  const seen: PendingTransaction[] = []
  pendingTransactions(swap.latchkey).subscribe((all) => seen.push(...all))
  expect(await outcomeOf(swap)).toMatchObject({ status: 'mined' })
  expect(seen[0]).toMatchObject({ status: 'pending', what: { kind: 'swap', amount: '100', symbol: 'LUSD', to: 'KEY' } })
  expect(pendingTransactions(swap.latchkey).getState()).toEqual([])
})

test.each([
  ['reverted', { status: 'reverted' }],
  ['partly-reverted', { status: 'partly-reverted' }],
  ['reverted', { status: 'reverted', receipts: [] }],
  ['failed', { status: 'failed', receipts: [] }],
  ['mined', { status: 'confirmed', receipts: [] }],
] as const)(
  'a batch is %s if its wallet reports %j, although the transaction of the bundler is mined',
  async (status, report) => {
    const { adapter } = createBatchingAdapter(report)
    const swap = await openSwapWorld(adapter)
    await prepareReview(swap, '100', dollar, key)
    expect(await outcomeOf(swap)).toMatchObject({ status })
    expect(pendingTransactions(swap.latchkey).getState()).toEqual([])
  },
)

test('a wallet that needs an account upgrade for batches gets separate requests', async () => {
  const swap = await openSwapWorld(createBatchingAdapter({}, 'ready').adapter)
  await prepareReview(swap, '100', dollar, key)
  expect(swap.state().order).toMatchObject({ step: 'approve' })
})
