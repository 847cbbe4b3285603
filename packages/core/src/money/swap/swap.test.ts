import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { dismissModal, goBack } from '../../actions/navigation.ts'
import { type CallsStatus, type WalletCalls } from '../../adapter.ts'
import { currentEntry } from '../../modal/modal.ts'
import { fakeAdapter, fakeExchange, type FakeAdapter } from '../../testing/fakes.ts'
import { pendingTransactions } from '../pending/pendingTransactions.ts'
import { begun, ether, lastSaid, later, owner, reviewed, said, type Begun } from '../testing/begunSwap.ts'
import { approveSwap } from './approveSwap.ts'
import { setSwapAmount } from './choosing.ts'
import { refreshOrder, reviewSwap } from './reviewSwap.ts'
import { swapNow } from './swapNow.ts'

const chainId = 'eip155:1'
const { dollar, key, contract: exchange } = fakeExchange(chainId, owner)
const swapData = '0x12345678'

const word = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')
const approve = (spender: string, amount: bigint): string => `0x095ea7b3${word(spender)}${word(amount)}`

test('swaps the coin: one request to the wallet however often it is pressed, and the rest is followed', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether }, minesWhenTold: true })
  const swap = await begun(adapter)
  await reviewed(swap, '1')
  expect(swap.state().order).toMatchObject({ status: 'ready', way: 'swap', minimum: 2_970_000_000n })
  const presses = Array.from({ length: 50 }, () => swapNow(swap.latchkey))
  await expect.poll(() => adapter.sent).toHaveLength(1)
  expect(adapter.sent[0]?.request).toEqual({ to: exchange, value: ether, gas: 100_000n, data: swapData })
  expect(swap.state().status).toBe('closed')
  await expect.poll(() => said(swap)).toBe('Swapping 1.000 COIN to LUSD')
  expect(pendingTransactions(swap.latchkey).getState()).toMatchObject([
    { what: { kind: 'swap', amount: '1', symbol: 'COIN', to: 'LUSD' }, status: 'pending' },
  ])
  expect(shownView(swap)).toBe('Account')
  adapter.mine(adapter.sent[0]?.hash ?? '')
  const outcomes = (await Promise.all(presses)).filter((outcome) => outcome !== undefined)
  expect(outcomes).toMatchObject([{ status: 'mined' }])
  expect(await lastSaid(swap)).toBe('Swapped 1.000 COIN to LUSD')
  expect(swap.asks()).toBe(1)
})

function shownView({ latchkey }: Begun): string | undefined {
  const modal = latchkey.modal.getState()
  return modal.open ? currentEntry(modal).view : undefined
}

test('a token is allowed first, just that amount, and then swapped', async () => {
  const swap = await begun()
  await reviewed(swap, '120.5', dollar, key)
  expect(swap.state().order).toMatchObject({ status: 'ready', way: 'approve' })
  swap.backend.instead['allowance'] = () => ({ body: { allowance: swap.adapter.sent.length > 0 ? '120500000' : '0' } })
  await Promise.all([approveSwap(swap.latchkey), approveSwap(swap.latchkey)])
  expect(swap.adapter.sent.map(({ request }) => request)).toEqual([
    { to: dollar.slice(chainId.length + 1), data: approve(exchange, 120_500_000n) },
  ])
  expect(swap.state().order).toMatchObject({ status: 'ready', way: 'swap' })
  expect(await swapNow(swap.latchkey)).toMatchObject({ status: 'mined' })
  expect(swap.adapter.sent[1]?.request).toEqual({ to: exchange, value: 0n, gas: 100_000n, data: swapData })
})

test('a declined request is no failure: all stays as it was, and may be asked for again', async () => {
  const swap = await begun()
  await reviewed(swap, '1')
  swap.connector.fail('sendTransaction', new LatchkeyError('request/rejected', { method: 'sendTransaction' }))
  expect(await swapNow(swap.latchkey)).toBeUndefined()
  expect(swap.state().order).toMatchObject({ status: 'ready', way: 'swap', error: { code: 'request/rejected' } })
  expect(said(swap)).toBeUndefined()
  swap.connector.fail('sendTransaction', undefined)
  expect(await swapNow(swap.latchkey)).toMatchObject({ status: 'mined' })
})

test('when the price left the slippage behind nothing is asked, and the new price is on show', async () => {
  const swap = await begun()
  await reviewed(swap, '1')
  swap.backend.rate = 2_969n
  expect(await swapNow(swap.latchkey)).toBeUndefined()
  expect(swap.asks()).toBe(0)
  expect(swap.state().order).toMatchObject({
    status: 'ready',
    agreed: { toAmount: 2_969_000_000n },
    minimum: 2_939_310_000n,
    error: { code: 'swap/price-moved' },
  })
  expect(await swapNow(swap.latchkey)).toMatchObject({ status: 'mined' })
})

test('a price within the slippage is swapped at', async () => {
  const swap = await begun()
  await reviewed(swap, '1')
  swap.backend.rate = 2_970n
  expect(await swapNow(swap.latchkey)).toMatchObject({ status: 'mined' })
})

test('money that went elsewhere since the preview is noticed before the wallet is asked', async () => {
  const swap = await begun()
  await reviewed(swap, '4')
  swap.adapter.balances.set(owner, ether)
  await swapNow(swap.latchkey)
  expect(swap.asks()).toBe(0)
  expect(swap.state().order).toMatchObject({ error: { code: 'swap/insufficient-balance' } })
})

test('an allowance that cannot be read, and a swap that would fail, are told apart', async () => {
  const swap = await begun()
  swap.backend.instead['allowance'] = () => ({ status: 503, body: {} })
  await reviewed(swap, '100', dollar, key)
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

test('an approval that was reverted is told with its reason, and nothing is swapped', async () => {
  const swap = await begun()
  await reviewed(swap, '100', dollar, key)
  swap.adapter.revertsWith = 'not today'
  await approveSwap(swap.latchkey)
  expect(swap.state().order).toMatchObject({
    status: 'ready',
    way: 'approve',
    error: { code: 'swap/approval-failed', context: { symbol: 'LUSD', reason: 'not today' } },
  })
})

test('a swap that was reverted is told with its reason', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const swap = await begun(adapter)
  await reviewed(swap, '1')
  adapter.revertsWith = 'Too little received'
  expect(await swapNow(swap.latchkey)).toMatchObject({ status: 'reverted' })
  expect(await lastSaid(swap)).toContain('Too little received')
})

test('a swap that the chain cannot be asked about is unknown, and never failed [P-02]', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether }, minesWhenTold: true })
  const swap = await begun(adapter)
  await reviewed(swap, '1')
  adapter.waitForReceipt = async () => {
    throw new LatchkeyError('rpc/unreachable', { network: 'Network 1' })
  }
  expect(await swapNow(swap.latchkey)).toMatchObject({ status: 'unknown' })
  expect(await lastSaid(swap)).toContain('not mined yet')
  expect(pendingTransactions(swap.latchkey).getState()).toMatchObject([{ status: 'unknown' }])
})

/** A wallet that carries batches out when it is told to. */
function batchingAdapter(status: 'supported' | 'ready' = 'supported'): { adapter: FakeAdapter; batches: unknown[] } {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const batches: unknown[] = []
  const never = (): never => {
    throw new Error('not asked for')
  }
  const calls: WalletCalls = {
    getCapabilities: async () => ({ [chainId]: { atomic: { status } } }),
    sendCalls: async (connection, account, batch) => {
      batches.push(batch)
      await adapter.sendTransaction(connection, account, { to: exchange })
      return { id: '0x1' }
    },
    getCallsStatus: async (_, id): Promise<CallsStatus> => ({
      id,
      status: 'confirmed',
      atomic: true,
      receipts: [{ hash: adapter.sent[0]?.hash ?? '', blockNumber: 1n }],
    }),
    getAssets: async () => undefined,
    grantPermissions: never,
    revokePermissions: never,
  }
  return { adapter: Object.assign(adapter, { walletCalls: async () => calls }), batches }
}

test('a wallet that can is asked once for both, all or nothing', async () => {
  const { adapter, batches } = batchingAdapter()
  const swap = await begun(adapter)
  await reviewed(swap, '100', dollar, key)
  expect(swap.state().order).toMatchObject({ status: 'ready', way: 'batch' })
  expect(await swapNow(swap.latchkey)).toMatchObject({ status: 'mined' })
  expect(batches).toEqual([
    {
      atomic: true,
      calls: [
        { to: dollar.slice(chainId.length + 1), data: approve(exchange, 100_000_000n) },
        { to: exchange, data: swapData, value: 0n },
      ],
    },
  ])
})

test('a wallet that would first have to become another kind of account is not asked to', async () => {
  const swap = await begun(batchingAdapter('ready').adapter)
  await reviewed(swap, '100', dollar, key)
  expect(swap.state().order).toMatchObject({ way: 'approve' })
})

/** The wallet takes its time with the next request. */
function slowWallet({ adapter }: Begun): { asked: Promise<void>; answer(): void } {
  const [asked, answer] = [later(), later()]
  const { sendTransaction } = adapter
  adapter.sendTransaction = async (...args) => {
    asked.resolve()
    await answer.promise
    return sendTransaction(...args)
  }
  return { asked: asked.promise, answer: answer.resolve }
}

test('a wallet that answers after the modal was closed is still followed to the end', async () => {
  const swap = await begun()
  await reviewed(swap, '1')
  const { asked, answer } = slowWallet(swap)
  const swapping = swapNow(swap.latchkey)
  await asked
  dismissModal(swap.latchkey)
  expect(swap.state().status).toBe('closed')
  answer()
  expect(await swapping).toMatchObject({ status: 'mined' })
  expect(await lastSaid(swap)).toBe('Swapped 1.000 COIN to LUSD')
  expect(swap.latchkey.modal.getState()).toEqual({ open: false })
})

test('who leaves before the wallet was asked is not asked any more', async () => {
  const swap = await begun()
  await reviewed(swap, '1')
  const late = later()
  swap.backend.instead['quotes'] = async (question) => {
    await late.promise
    return swap.backend.usual(question)
  }
  const swapping = swapNow(swap.latchkey)
  dismissModal(swap.latchkey)
  late.resolve()
  expect(await swapping).toBeUndefined()
  expect(swap.asks()).toBe(0)
})

test('nobody is asked twice: going back and looking again shows what the wallet was asked', async () => {
  const swap = await begun()
  await reviewed(swap, '1')
  const { asked, answer } = slowWallet(swap)
  const swapping = swapNow(swap.latchkey)
  await asked
  goBack(swap.latchkey)
  setSwapAmount(swap.latchkey, '2')
  await reviewSwap(swap.latchkey)
  await swapNow(swap.latchkey)
  expect(shownView(swap)).toBe('SwapPreview')
  expect(swap.state().order.status).toBe('asking')
  answer()
  expect(await swapping).toMatchObject({ status: 'mined' })
  expect(swap.adapter.sent).toHaveLength(1)
})
