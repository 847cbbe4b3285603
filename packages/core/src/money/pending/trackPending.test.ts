import type { AccountId } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { sendTransaction } from '../../requests/signMessage.ts'
import {
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  manualClock,
  flushTasks,
} from '../../testing/fakes.ts'
import { followTransaction } from './followTransaction.ts'
import { pendingTransactions } from './pendingTransactions.ts'
import type { TrackedPage } from './trackedPage.ts'
import { trackPending } from './trackPending.ts'

const chainId = 'eip155:1'
const what = { kind: 'send', amount: '1', symbol: 'COIN' } as const
const from: AccountId = fakeAccount(chainId)
const key = `@latchkey/pending/${chainId}/${from.split(':')[2]}`

/** A chain and a storage that several page loads and tabs share. */
async function createWorld() {
  const clock = manualClock()
  const adapter = fakeAdapter({ minesManually: true, clock })
  const storage = fakeStorage()
  const open = async (tab = storage) => {
    const { latchkey, events } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], clock, storage: tab })
    await connect(latchkey, 'fake')
    const list = () => pendingTransactions(latchkey).getState()
    const follow = (hash: string) => followTransaction(latchkey, { sent: { hash }, chainId, from, what })
    const send = async (): Promise<string> => sendTransaction(latchkey, { to: 'x'.repeat(40), value: 1n })
    return { latchkey, events, list, follow, send }
  }
  /** Lets 25 seconds pass for a waiting caller. */
  const give = async (outcome: Promise<unknown>): Promise<void> => {
    await expect.poll(() => clock.waiting()).toBeGreaterThan(0)
    clock.advance(25_000)
    expect(await outcome).toMatchObject({ status: 'unknown' })
  }
  return { clock, adapter, storage, open, give }
}

/** A page that tests hide and show. */
function fakePage() {
  const target = new EventTarget()
  const page = Object.assign(target, { visibilityState: 'visible' as DocumentVisibilityState })
  const show = (state: DocumentVisibilityState): void => {
    page.visibilityState = state
    target.dispatchEvent(new Event('visibilitychange'))
  }
  return { page: page satisfies TrackedPage, show }
}

test('a payment that is mined after 25 s is resolved, and its balances are refreshed [R9.1.4]', async () => {
  const { clock, adapter, open, give } = await createWorld()
  const { latchkey, list, follow, send, events } = await open()
  const hash = await send()
  await give(follow(hash))
  const outcomes: unknown[] = []
  const stop = trackPending(latchkey, { onOutcome: (_, outcome) => outcomes.push(outcome) })
  adapter.mine(hash)
  await expect
    .poll(() => {
      clock.advance(1_000)
      return list()
    })
    .toEqual([])
  expect(outcomes).toMatchObject([{ status: 'mined', hash }])
  expect(events.at(-1)).toMatchObject({ type: 'transaction', hash, status: 'mined' })
  stop()
})

test('a pending payment survives a reload, and the next page resolves it', async () => {
  const { clock, adapter, storage, open, give } = await createWorld()
  const before = await open()
  const hash = await before.send()
  await give(before.follow(hash))
  expect(storage.values.get(key)).toContain(hash)
  const after = await open(storage.otherTab())
  expect(after.list()).toEqual([])
  const stop = trackPending(after.latchkey)
  await expect.poll(() => after.list()).toMatchObject([{ hash, what, from, chainId }])
  adapter.mine(hash)
  await expect
    .poll(() => {
      clock.advance(1_000)
      return after.list()
    })
    .toEqual([])
  // Its block is final on a chain without reorgs, so nothing is left to track.
  await expect
    .poll(() => {
      clock.advance(1_000)
      return storage.values.get(key)
    })
    .toBeUndefined()
  stop()
})

test('a payment that was just sent is not reported as missing after a reload [R9.1.4]', async () => {
  const { clock, storage, open } = await createWorld()
  const before = await open()
  const leave = new AbortController()
  const sent = { hash: await before.send() }
  void followTransaction(before.latchkey, { sent, chainId, from, what }, { signal: leave.signal })
  const after = await open(storage.otherTab())
  const stop = trackPending(after.latchkey)
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await flushTasks()
      clock.advance(1_000)
    }
  }
  await pass(20)
  expect(after.list()).toMatchObject([{ status: 'pending' }])
  await pass(60)
  expect(after.list()).toMatchObject([{ status: 'unknown' }])
  stop()
  leave.abort()
})

test('two tabs keep the payments of each other, and resolve them independently', async () => {
  const { clock, adapter, storage, open, give } = await createWorld()
  const one = await open()
  const two = await open(storage.otherTab())
  const [first, second] = [await one.send(), await one.send()]
  await give(Promise.all([one.follow(first), two.follow(second)]).then(([outcome]) => outcome))
  expect(storage.values.get(key)).toContain(first)
  expect(storage.values.get(key)).toContain(second)
  const stops = [one, two].map(({ latchkey }) => trackPending(latchkey))
  await expect.poll(() => [one.list().length, two.list().length]).toEqual([2, 2])
  adapter.mine(first)
  adapter.mine(second)
  await expect
    .poll(() => {
      clock.advance(1_000)
      return [one.list(), two.list(), storage.values.get(key)]
    })
    .toEqual([[], [], undefined])
  for (const stop of stops) stop()
})

test('a hidden page sends no requests, and checks when it becomes visible again', async () => {
  const { clock, adapter, open, give } = await createWorld()
  const { latchkey, list, follow, send } = await open()
  const hash = await send()
  await give(follow(hash))
  const { page, show } = fakePage()
  show('hidden')
  const stop = trackPending(latchkey, { page })
  adapter.mine(hash)
  await flushTasks()
  expect(clock.waiting()).toBe(0)
  expect(list()).toHaveLength(1)
  show('visible')
  await expect.poll(list).toEqual([])
  stop()
  expect(clock.waiting()).toBe(0)
})

test('without polling, only a page that becomes visible checks', async () => {
  const { clock, adapter, open, give } = await createWorld()
  const { latchkey, list, follow, send } = await open()
  const hash = await send()
  await give(follow(hash))
  const { page, show } = fakePage()
  const stop = trackPending(latchkey, { page, polls: false })
  adapter.mine(hash)
  await flushTasks()
  expect([clock.waiting(), list().length]).toEqual([0, 1])
  show('visible')
  await expect.poll(list).toEqual([])
  stop()
})

test('the pauses between two checks grow', async () => {
  const { clock, adapter, open, give } = await createWorld()
  const { latchkey, follow, send, list } = await open()
  await give(follow(await send()))
  let requests = 0
  const countedAdapter = Object.assign(adapter, {
    waitForReceipt: async (): Promise<never> => {
      requests += 1
      throw new Error('unreachable')
    },
  })
  expect(countedAdapter).toBe(adapter)
  const stop = trackPending(latchkey)
  for (let second = 0; second < 600; second += 1) {
    await flushTasks()
    clock.advance(1_000)
  }
  expect(list()).toMatchObject([{ status: 'unknown' }])
  expect(requests).toBeGreaterThan(5)
  expect(requests).toBeLessThan(20)
  stop()
})

test('the payments of another account are not looked up', async () => {
  const { clock, open, give } = await createWorld()
  const { latchkey, follow, send, list } = await open()
  await give(follow(await send()))
  latchkey.wallet.setState({ ...latchkey.wallet.getState(), namespaces: {} }, true)
  const stop = trackPending(latchkey)
  await flushTasks()
  expect(clock.waiting()).toBe(0)
  expect(list()).toHaveLength(1)
  stop()
})

/** The fake adapter with transfers whose blocks a test can drop. */
function withReorgs(adapter: ReturnType<typeof fakeAdapter>, chain: { mined: boolean }) {
  const never = async (): Promise<never> => Promise.reject(new Error('not used'))
  return Object.assign(adapter, {
    transfers: async () => ({
      readAsset: never,
      getBalance: never,
      estimateFee: never,
      inspectReceiver: never,
      send: never,
      follow: async (_network: unknown, _from: unknown, { hash }: { hash: string }) =>
        chain.mined ? ({ status: 'mined', hash, blockNumber: 1n } as const) : ({ status: 'unknown', hash } as const),
      getFinality: async () => (chain.mined ? 'mined' : 'missing') as 'mined' | 'missing',
    }),
  })
}

test('a mined payment whose block disappears is pending again', async () => {
  const { clock, adapter, storage, open } = await createWorld()
  const chain = { mined: true }
  withReorgs(adapter, chain)
  const { latchkey, follow, list, events } = await open()
  expect(await follow('0x1')).toMatchObject({ status: 'mined' })
  const outcomes: string[] = []
  const stop = trackPending(latchkey, { onOutcome: (_, { status }) => outcomes.push(status) })
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await flushTasks()
      clock.advance(1_000)
    }
  }
  await pass(10)
  expect(list()).toEqual([])
  chain.mined = false
  await pass(120)
  expect(list()).toMatchObject([{ hash: '0x1', reorged: true }])
  expect(storage.values.get(key)).toContain('"reorged":true')
  expect(outcomes).toEqual(['reorged'])
  expect(events.at(-1)).toMatchObject({ type: 'transaction', hash: '0x1', status: 'reorged' })
  chain.mined = true
  await pass(120)
  expect(list()).toEqual([])
  expect(outcomes).toEqual(['reorged', 'mined'])
  stop()
})
