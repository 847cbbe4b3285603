import type { AccountId } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { submitCalls } from '../../requests/sendCalls.ts'
import {
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  flushTasks,
  manualClock,
  type FakeAdapter,
} from '../../testing/fakes.ts'
import { createBatchingAdapter } from '../../testing/swapWorld.ts'
import { followCalls } from './followCalls.ts'
import { pendingTransactions } from './pendingTransactions.ts'
import { trackPending, type TrackedOutcome } from './trackPending.ts'

const chainId = 'eip155:1'
const from: AccountId = fakeAccount(chainId)
const key = `@latchkey/pending/${chainId}/${from.split(':')[2]}`
const what = { kind: 'swap', amount: '1', symbol: 'COIN', to: 'LUSD' } as const
const day = 86_400_000

/** A wallet and a storage that several page loads share. */
function createWorld(adapter: FakeAdapter, values: Record<string, string> = {}) {
  const clock = manualClock()
  const storage = fakeStorage({ values })
  const open = async (tab = storage) => {
    const { latchkey, events } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], clock, storage: tab })
    await connect(latchkey, 'fake')
    const outcomes: [hash: string, outcome: TrackedOutcome][] = []
    const track = (): (() => void) =>
      trackPending(latchkey, { onOutcome: ({ hash }, outcome) => outcomes.push([hash, outcome]) })
    return { latchkey, events, outcomes, track, list: () => pendingTransactions(latchkey).getState() }
  }
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await flushTasks()
      clock.advance(1_000)
    }
  }
  return { clock, storage, open, pass }
}

test('a batch survives a reload, and the next page asks the wallet and reports the outcome', async () => {
  const { adapter, report } = createBatchingAdapter({ status: 'pending', receipts: [] })
  const { storage, open, pass } = createWorld(adapter)
  const before = await open()
  void followCalls(before.latchkey, { id: '0x1', chainId, from, what })
  expect(JSON.parse(storage.values.get(key) ?? '[]')).toMatchObject([{ hash: '0x1', batch: true, what }])
  const after = await open(storage.otherTab())
  const stop = after.track()
  await expect.poll(after.list).toMatchObject([{ hash: '0x1', batch: true, what, from, chainId }])
  report({ status: 'reverted', receipts: [] })
  await expect
    .poll(async () => (await pass(1), after.outcomes))
    .toMatchObject([['0x1', { status: 'reverted', hash: '0x1', isBatch: true }]])
  expect(after.list()).toEqual([])
  expect(storage.values.get(key)).toBeUndefined()
  expect(after.events.at(-1)).toMatchObject({ type: 'transaction', hash: '0x1', status: 'reverted' })
  stop()
})

test('a batch that takes longer than a minute is reported with the hash of its transaction', async () => {
  const { adapter, report } = createBatchingAdapter({ status: 'pending', receipts: [] })
  const { open, pass } = createWorld(adapter)
  const { latchkey, outcomes, track, list } = await open()
  const { id } = await submitCalls(latchkey, { calls: [] }, { chainId })
  const following = followCalls(latchkey, { id, chainId, from, what })
  await pass(62)
  expect(await following).toEqual({ status: 'unknown', hash: id, isBatch: true })
  const stop = track()
  report({})
  await expect
    .poll(async () => (await pass(1), outcomes))
    .toMatchObject([[id, { status: 'mined', hash: adapter.sent[0]?.hash }]])
  expect(list()).toEqual([])
  stop()
})

test('a batch that a caller waits for is not reported twice', async () => {
  const { adapter, report } = createBatchingAdapter({ status: 'pending', receipts: [] })
  const { open, pass } = createWorld(adapter)
  const { latchkey, outcomes, track } = await open()
  const stop = track()
  const following = followCalls(latchkey, { id: '0x1', chainId, from, what })
  await pass(5)
  report({ status: 'failed', receipts: [] })
  await pass(5)
  expect(await following).toMatchObject({ status: 'failed' })
  expect(outcomes).toEqual([])
  stop()
})

test('a batch that its wallet does not know is forgotten after a day', async () => {
  const stored = JSON.stringify([{ hash: '0x1', batch: true, what, since: manualClock().now() }])
  const { clock, storage, open, pass } = createWorld(fakeAdapter(), { [key]: stored })
  clock.advance(day / 2)
  const { list, outcomes, track } = await open()
  const stop = track()
  await expect.poll(list).toMatchObject([{ hash: '0x1', status: 'unknown' }])
  clock.advance(day)
  await pass(1)
  await expect.poll(list).toEqual([])
  expect(storage.values.get(key)).toBeUndefined()
  expect(outcomes).toEqual([])
  stop()
})
