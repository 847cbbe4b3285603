import { attachModal } from '../attachModal.ts'
import { confirmSwap } from './swapFlow.ts'
import { currentEntry } from '../navigation/modalState.ts'
import { disconnect } from '@latchkey/core'
import { fakeAdapter, fakeExchange, flushTasks, type FakeAdapter } from '@latchkey/core/fakes'
import { pendingTransactions, setSwapAmount, type Transfers } from '@latchkey/core/money'
import { closeModal, dismissModal } from '../navigation/openModal.ts'
import { followPayments } from './followPayments.ts'
import { goBack } from '../navigation/openModal.ts'
import { modalOf } from '../modal.ts'
import { openModal } from '../navigation/openModal.ts'
import { openSwapFlow } from './swapFlow.ts'
import { reviewSwapFlow } from './swapFlow.ts'
import { networkError, requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import {
  createBatchingAdapter,
  openSwapWorld,
  createDeferred,
  ether,
  owner,
  prepareQuote,
  type SwapWorld,
} from '@latchkey/core/testing/swap'

const chainId = 'eip155:1'
const { contract: exchange, dollar, key } = fakeExchange(chainId, owner)
const swapData = '0x12345678'

/** Quotes a swap and shows it for review. */
async function reviewQuotedSwap(swap: SwapWorld, ...args: [amount: string, from?: string, to?: string]): Promise<void> {
  await prepareQuote(swap, ...args)
  await reviewSwapFlow(swap.latchkey)
}

/** A user with five coins who begins to swap in the modal. */
function openSwapInModal(adapter?: FakeAdapter): ReturnType<typeof openSwapWorld> {
  return openSwapWorld(adapter, async (latchkey) => {
    attachModal(latchkey)
    openModal(latchkey, { entry: { view: 'Swap', params: {} } })
    await openSwapFlow(latchkey)
  })
}

function toastMessage({ latchkey }: SwapWorld): string | undefined {
  const toast = modalOf(latchkey).toast.getState()
  return toast.open ? toast.message : undefined
}

/** Closes the current notice, so that the next one appears. */
async function nextToastMessage(swap: SwapWorld): Promise<string | undefined> {
  await flushTasks()
  swap.clock.advance(150)
  return toastMessage(swap)
}

function shownView({ latchkey }: SwapWorld): string | undefined {
  const modal = modalOf(latchkey).state.getState()
  return modal.open ? currentEntry(modal).view : undefined
}

/** Delays the wallet's response to the next request. */
function fakeSlowWallet({ adapter }: SwapWorld): { requested: Promise<void>; respond(): void } {
  const [requested, respond] = [createDeferred(), createDeferred()]
  const { sendTransaction } = adapter
  adapter.sendTransaction = async (...args) => {
    requested.resolve()
    await respond.promise
    return sendTransaction(...args)
  }
  return { requested: requested.promise, respond: respond.resolve }
}

test('repeated clicks on swap send a single request, and the outcome is followed', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether }, minesManually: true })
  const swap = await openSwapInModal(adapter)
  await reviewQuotedSwap(swap, '1')
  expect(swap.state().order).toMatchObject({ status: 'ready', step: 'swap', minimum: 2_970_000_000n })
  const presses = Array.from({ length: 50 }, () => confirmSwap(swap.latchkey))
  await expect.poll(() => adapter.sent).toHaveLength(1)
  expect(adapter.sent[0]?.request).toEqual({ to: exchange, value: ether, gas: 100_000n, data: swapData })
  expect(swap.state().status).toBe('closed')
  await expect.poll(() => toastMessage(swap)).toBe('Swapping 1.000 COIN to LUSD')
  expect(pendingTransactions(swap.latchkey).getState()).toMatchObject([
    { what: { kind: 'swap', amount: '1', symbol: 'COIN', to: 'LUSD' }, status: 'pending' },
  ])
  expect(shownView(swap)).toBe('Account')
  adapter.mine(adapter.sent[0]?.hash ?? '')
  const outcomes = (await Promise.all(presses)).filter((outcome) => outcome !== undefined)
  expect(outcomes).toMatchObject([{ status: 'mined' }])
  expect(await nextToastMessage(swap)).toBe('Swapped 1.000 COIN to LUSD')
  expect(swap.requests()).toBe(1)
})

test('a declined swap is not a failure, and can be requested again', async () => {
  const swap = await openSwapInModal()
  await reviewQuotedSwap(swap, '1')
  swap.connector.fail('sendTransaction', requestError('request/rejected', { method: 'sendTransaction' }))
  expect(await confirmSwap(swap.latchkey)).toBeUndefined()
  expect(swap.state().order).toMatchObject({ status: 'ready', step: 'swap', error: { code: 'request/rejected' } })
  expect(toastMessage(swap)).toBeUndefined()
  swap.connector.fail('sendTransaction', undefined)
  expect(await confirmSwap(swap.latchkey)).toMatchObject({ status: 'mined' })
})

test('a reverted swap is reported with the kind of its reason, and never in the words of the contract', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const swap = await openSwapInModal(adapter)
  await reviewQuotedSwap(swap, '1')
  adapter.revertsWith = 'Too little received. Refund at evil.example'
  expect(await confirmSwap(swap.latchkey)).toMatchObject({ status: 'reverted' })
  expect(await nextToastMessage(swap)).toBe('The swap failed on the network: the price changed in the meantime.')
})

test.each([
  ['reverted', 'The swap failed on the network'],
  ['partly-reverted', 'Only a part of the swap was executed.'],
  ['failed', 'The swap did not reach the network. Nothing was charged.'],
] as const)('a batch that its wallet reports as %s is never announced as swapped', async (status, text) => {
  const swap = await openSwapInModal(createBatchingAdapter({ status }).adapter)
  await reviewQuotedSwap(swap, '100', dollar, key)
  expect(swap.state().order).toMatchObject({ step: 'batch' })
  expect(await confirmSwap(swap.latchkey)).toMatchObject({ status })
  expect(await nextToastMessage(swap)).toContain(text)
})

test.each([
  ['other', 'The swap was replaced by another transaction. Check your wallet.'],
  ['cancelled', 'The swap was cancelled. Only the fee was charged.'],
  ['repriced', 'Swapped 1.000 COIN to LUSD'],
] as const)('a swap that was replaced (%s) is reported as what replaced it', async (how, text) => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const swap = await openSwapInModal(adapter)
  await reviewQuotedSwap(swap, '1')
  const transfers = {
    follow: async (_network: unknown, _from: unknown, { hash }: { hash: string }) =>
      ({ status: 'replaced', hash, by: '0xb', how }) as const,
  }
  // Only the outcome is asked for.
  adapter.transfers = async () => transfers as unknown as Transfers
  await confirmSwap(swap.latchkey)
  expect(await nextToastMessage(swap)).toBe(text)
})

test('the notice about a slow batch has no link to its id, and the late outcome has one to its transaction', async () => {
  const { adapter, report } = createBatchingAdapter({ status: 'pending', receipts: [] })
  const swap = await openSwapInModal(adapter)
  await reviewQuotedSwap(swap, '100', dollar, key)
  const swapping = confirmSwap(swap.latchkey)
  await expect.poll(() => pendingTransactions(swap.latchkey).getState()).toMatchObject([{ batch: true }])
  const pass = async (): Promise<void> => {
    await flushTasks()
    swap.clock.advance(1_000)
  }
  for (let second = 0; second < 62; second += 1) await pass()
  expect(await swapping).toMatchObject({ status: 'unknown' })
  expect(await nextToastMessage(swap)).toContain('may still be confirmed')
  expect(modalOf(swap.latchkey).toast.getState()).toMatchObject({ link: undefined })
  closeModal(swap.latchkey)
  const stop = followPayments(swap.latchkey)
  report({})
  await expect
    .poll(async () => (await pass(), modalOf(swap.latchkey).toast.getState()))
    .toMatchObject({ variant: 'success', link: { href: expect.stringContaining(adapter.sent[0]?.hash ?? 'none') } })
  stop()
})

test('a swap is unknown, and never failed, when the chain is unreachable [P-02]', async () => {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether }, minesManually: true })
  const swap = await openSwapInModal(adapter)
  await reviewQuotedSwap(swap, '1')
  adapter.waitForReceipt = async () => {
    throw networkError('rpc/unreachable', { network: 'Network 1' })
  }
  expect(await confirmSwap(swap.latchkey)).toMatchObject({ status: 'unknown' })
  expect(await nextToastMessage(swap)).toContain('may still be confirmed')
  expect(pendingTransactions(swap.latchkey).getState()).toMatchObject([{ status: 'unknown' }])
})

test('a swap that is approved after the modal closed is still followed [R2.2.7]', async () => {
  const swap = await openSwapInModal()
  await reviewQuotedSwap(swap, '1')
  const { requested, respond } = fakeSlowWallet(swap)
  const swapping = confirmSwap(swap.latchkey)
  await requested
  closeModal(swap.latchkey)
  expect(swap.state().status).toBe('closed')
  respond()
  expect(await swapping).toMatchObject({ status: 'mined' })
  expect(await nextToastMessage(swap)).toBe('Swapped 1.000 COIN to LUSD')
  swap.clock.advance(60_000)
  expect(modalOf(swap.latchkey).toast.getState()).toMatchObject({
    open: true,
    autoClose: false,
    link: { href: expect.stringContaining(swap.adapter.sent[0]?.hash ?? 'none') },
  })
  expect(modalOf(swap.latchkey).state.getState()).toEqual({ open: false })
})

test('leaving before the wallet request sends none', async () => {
  const swap = await openSwapInModal()
  await reviewQuotedSwap(swap, '1')
  const late = createDeferred()
  swap.backend.instead['quotes'] = async (exchangeRequest) => {
    await late.promise
    return swap.backend.usual(exchangeRequest)
  }
  const swapping = confirmSwap(swap.latchkey)
  dismissModal(swap.latchkey)
  late.resolve()
  expect(await swapping).toBeUndefined()
  expect(swap.requests()).toBe(0)
})

test('going back and reviewing again shows the pending request', async () => {
  const swap = await openSwapInModal()
  await reviewQuotedSwap(swap, '1')
  const { requested, respond } = fakeSlowWallet(swap)
  const swapping = confirmSwap(swap.latchkey)
  await requested
  goBack(swap.latchkey)
  setSwapAmount(swap.latchkey, '2')
  await reviewSwapFlow(swap.latchkey)
  await confirmSwap(swap.latchkey)
  expect(shownView(swap)).toBe('SwapPreview')
  expect(swap.state().order.status).toBe('awaiting-wallet')
  respond()
  expect(await swapping).toMatchObject({ status: 'mined' })
  expect(swap.adapter.sent).toHaveLength(1)
})

test('the swap resets when the user leaves, or the account or network changes', async () => {
  const swap = await openSwapInModal()
  await prepareQuote(swap, '1')
  dismissModal(swap.latchkey)
  expect(swap.state()).toMatchObject({ status: 'closed', amount: '', tokens: [] })
  openModal(swap.latchkey, { entry: { view: 'Swap', params: {} } })
  await openSwapFlow(swap.latchkey)
  await prepareQuote(swap, '1')
  swap.connector.emitAccounts([`${chainId}:0x${'bb'.repeat(20)}`])
  await expect.poll(() => swap.state()).toMatchObject({ status: 'open', amount: '', to: undefined })
  await disconnect(swap.latchkey)
  expect(swap.state().status).toBe('closed')
  await openSwapFlow(swap.latchkey)
  expect(swap.state()).toMatchObject({ status: 'failed', error: { code: 'connection/not-connected' } })
})
