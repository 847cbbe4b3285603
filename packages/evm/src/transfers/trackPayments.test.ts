import { connect, createLatchkey, memoryStorage, start, type Storage } from '@latchkey/core'
import {
  chooseToken,
  pendingTransactions,
  replaceTransaction,
  sendNow,
  sendState,
  setAmount,
  setReceiver,
  trackPending,
  type PendingTransaction,
  type TrackedOutcome,
} from '@latchkey/core/money'
import { manualClock } from '@latchkey/core/testing'
import { announce } from '@latchkey/testkit'
import { parseEther, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain, type TestWallet } from '../testing/startTestChain.ts'

let chain: TestChain
let receiver: TestWallet

beforeAll(async () => {
  chain = await startTestChain()
  receiver = await chain.wallet()
  return () => chain.stop()
})

afterEach(async () => {
  await chain.request('evm_setAutomine', true)
  await chain.request('anvil_mine')
})

const mineBlocks = (blocks = 1): Promise<unknown> => chain.request('anvil_mine', `0x${blocks.toString(16)}`)

/** Opens a page of a user. A reload opens another one with the same storage. */
async function openPage(wallet: TestWallet, storage: Storage) {
  const clock = manualClock(Date.now())
  const page = new EventTarget()
  announce(wallet.extension, page)
  const latchkey = createLatchkey({ adapters: [evm({ chains: [chain.chain], page, clock })], storage, clock })
  start(latchkey)
  await connect(latchkey, wallet.extension.info.rdns)
  const outcomes: TrackedOutcome[] = []
  const list = () => pendingTransactions(latchkey).getState()
  return {
    latchkey,
    clock,
    outcomes,
    list,
    /** Tracks until the test ends. */
    track: () => onTestFinished(trackPending(latchkey, { onOutcome: (_, outcome) => outcomes.push(outcome) })),
    /** Advances the clock until something is reported. */
    async nextOutcome(): Promise<TrackedOutcome | undefined> {
      const before = outcomes.length
      await expect
        .poll(
          () => {
            clock.advance(1_000)
            return outcomes.length
          },
          { timeout: 60_000 },
        )
        .toBeGreaterThan(before)
      return outcomes.at(-1)
    },
  }
}

/** Sends 1 ETH on a chain that does not mine, and waits until the page gives up after 25 seconds. */
async function sendAndGiveUp(wallet: TestWallet, storage: Storage) {
  const opened = await openPage(wallet, storage)
  const { latchkey, clock, list } = opened
  await chain.request('evm_setAutomine', false)
  chooseToken(latchkey, {
    asset: chain.native,
    name: 'Ether',
    chainId: chain.network.caipNetworkId,
    balance: undefined,
    price: undefined,
  })
  setReceiver(latchkey, receiver.address)
  setAmount(latchkey, '1')
  await expect
    .poll(() => {
      clock.advance(500)
      return sendState(latchkey).getState().status
    })
    .toBe('ready')
  const { sent, outcome } = await sendNow(latchkey)
  await expect.poll(() => list()[0]?.nonce).toBeDefined()
  clock.advance(25_000)
  expect(await outcome).toEqual({ status: 'unknown', hash: sent.hash })
  const { nonce } = Object(await chain.request('eth_getTransactionByHash', sent.hash))
  return { ...opened, sent, nonce: Number(BigInt(nonce)) }
}

/** Replaces a pending payment as a wallet does by itself: the same nonce at a higher price. */
async function replaceInWallet(
  wallet: TestWallet,
  { nonce, to, value }: { nonce: number; to: Address; value: bigint },
): Promise<Hex> {
  const raw = await privateKeyToAccount(wallet.key).signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    to,
    value,
    nonce,
    gas: 21_000n,
    maxFeePerGas: parseEther('0.000001'),
    maxPriorityFeePerGas: parseEther('0.0000005'),
  })
  return String(await chain.request('eth_sendRawTransaction', raw)) as Hex
}

describe('a payment that the page gave up after 25 s', () => {
  test('is reported once it is mined [R9.1.4] [R9.1.8]', async () => {
    const wallet = await chain.wallet('10')
    const { track, nextOutcome, sent, list } = await sendAndGiveUp(wallet, memoryStorage())
    expect(list()).toMatchObject([{ hash: sent.hash, status: 'unknown' }])
    track()
    await mineBlocks()
    expect(await nextOutcome()).toMatchObject({ status: 'mined', hash: sent.hash })
    expect(list()).toEqual([])
  })

  test('is found after a reload, although 200 blocks passed', async () => {
    const wallet = await chain.wallet('10')
    const storage = memoryStorage()
    const { sent } = await sendAndGiveUp(wallet, storage)
    await mineBlocks(200)
    const { track, nextOutcome } = await openPage(wallet, storage)
    track()
    expect(await nextOutcome()).toMatchObject({ status: 'mined', hash: sent.hash })
  })

  test.each([
    ['a speed-up', { toSelf: false, value: parseEther('1') }, 'repriced'],
    ['a cancellation', { toSelf: true, value: 0n }, 'cancelled'],
    ['another payment', { toSelf: false, value: 5n }, 'other'],
  ])('is reported after %s in the wallet, 100 blocks ago and after a reload', async (_, { toSelf, value }, how) => {
    const wallet = await chain.wallet('10')
    const storage = memoryStorage()
    const { sent, nonce } = await sendAndGiveUp(wallet, storage)
    const to = toSelf ? wallet.address : receiver.address
    const by = await replaceInWallet(wallet, { nonce, to, value })
    await mineBlocks(100)
    const { track, nextOutcome, list } = await openPage(wallet, storage)
    track()
    expect(await nextOutcome()).toEqual({ status: 'replaced', hash: sent.hash, by, how })
    expect(list()).toEqual([])
  })

  test('returns to pending after a reorg, and is reported again', async () => {
    const wallet = await chain.wallet('10')
    const storage = memoryStorage()
    const { track, nextOutcome, sent, list } = await sendAndGiveUp(wallet, storage)
    const raw = await getRawTransaction(wallet, sent.hash)
    const snapshot = await chain.request('evm_snapshot')
    track()
    await mineBlocks()
    expect(await nextOutcome()).toMatchObject({ status: 'mined' })
    await chain.request('evm_revert', snapshot)
    expect(await nextOutcome()).toEqual({ status: 'reorged' })
    expect(list()).toMatchObject([{ hash: sent.hash, reorged: true }])
    await chain.request('eth_sendRawTransaction', raw).catch(() => {})
    await mineBlocks()
    expect(await nextOutcome()).toMatchObject({ status: 'mined', hash: sent.hash })
  })
})

describe('a cancellation that the app requests', () => {
  test('settles the payment as cancelled, with an event for each', async () => {
    const wallet = await chain.wallet('10')
    const { latchkey, clock, sent, list } = await sendAndGiveUp(wallet, memoryStorage())
    const events: object[] = []
    onTestFinished(latchkey.events.subscribe((event) => event.type === 'transaction' && events.push(event)))
    const { sent: cancelling, outcome } = await replaceTransaction(latchkey, findEntry(list(), sent.hash), 'cancel')
    await mineBlocks()
    await advanceUntil(clock, outcome)
    expect(events).toMatchObject([
      { hash: cancelling.hash, status: 'mined' },
      { hash: sent.hash, status: 'replaced', by: cancelling.hash, how: 'cancelled' },
    ])
    expect(list()).toEqual([])
  })
})

function findEntry(list: readonly PendingTransaction[], hash: string): PendingTransaction {
  const entry = list.find((each) => each.hash === hash)
  if (entry === undefined) throw new Error('The payment is not listed.')
  return entry
}

/** Lets seconds pass until a promise settles. */
async function advanceUntil(clock: ReturnType<typeof manualClock>, done: Promise<unknown>): Promise<void> {
  let isSettled = false
  void done.finally(() => (isSettled = true))
  await expect
    .poll(() => {
      if (!isSettled) clock.advance(1_000)
      return isSettled
    })
    .toBe(true)
}

/** Signs a pending transaction again. Signatures are deterministic (RFC 6979). */
async function getRawTransaction(wallet: TestWallet, hash: string): Promise<Hex> {
  const found = Object(await chain.request('eth_getTransactionByHash', hash))
  return privateKeyToAccount(wallet.key).signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    to: found.to,
    value: BigInt(found.value),
    nonce: Number(BigInt(found.nonce)),
    gas: BigInt(found.gas),
    maxFeePerGas: BigInt(found.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(found.maxPriorityFeePerGas),
  })
}
