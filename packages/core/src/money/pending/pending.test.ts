import type { AccountId } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeWorld,
  manualClock,
  flushTasks,
} from '../../testing/fakes.ts'
import { connect } from '../../connection/connect.ts'
import { sendTransaction } from '../../requests/signMessage.ts'
import type { Transfers } from '../transfers.ts'
import { followTransaction } from './followTransaction.ts'
import { pendingTransactions } from './pendingTransactions.ts'
import { replaceTransaction } from './replaceTransaction.ts'
import { getActiveConnection } from '../../state/connectedWallets.ts'
import { sendTracked } from './sendTracked.ts'
import { stopTracking } from './stopTracking.ts'
import { watchPending } from './watchPending.ts'
import { getCached, setCached } from '../../storage/getCached.ts'

const chainId = 'eip155:1'
const what = { kind: 'send', amount: '1', symbol: 'COIN' } as const

/** A connected user on a chain that mines on request. */
async function visit() {
  const clock = manualClock()
  const adapter = fakeAdapter({ minesManually: true, clock })
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], clock })
  const { latchkey } = world
  await connect(latchkey, 'fake')
  const from: AccountId = fakeAccount(chainId)
  const list = () => pendingTransactions(latchkey).getState()
  const send = async (): Promise<string> => sendTransaction(latchkey, { to: 'x'.repeat(40), value: 1n })
  const follow = (hash: string) => followTransaction(latchkey, { sent: { hash }, chainId, from, what })
  return { ...world, adapter, clock, from, list, send, follow }
}

test('followTransaction lists a transaction until it is mined, and removes cached balances', async () => {
  const { latchkey, adapter, clock, from, list, send, follow, events } = await visit()
  const hash = await send()
  const outcome = follow(hash)
  expect(follow(hash)).toBe(outcome)
  expect(list()).toEqual([{ hash, chainId, from, what, since: clock.now(), status: 'pending' }])
  const key = `native_balance/${chainId}/${from.split(':')[2]}`
  setCached(latchkey.internal, key, '7')
  adapter.mine(hash)
  expect(await outcome).toMatchObject({ status: 'mined', hash })
  expect(list()).toEqual([])
  expect(getCached(latchkey.internal, key, 30_000)).toBeUndefined()
  expect(events.at(-1)).toEqual({ type: 'transaction', chainId, from, hash, status: 'mined' })
})

test('followTransaction returns the reason of a reverted transaction', async () => {
  const { adapter, send, follow, list } = await visit()
  const hash = await send()
  adapter.revertsWith = 'out of order'
  const outcome = follow(hash)
  adapter.mine(hash)
  expect(await outcome).toEqual({ status: 'reverted', hash, reason: 'out of order' })
  expect(list()).toEqual([])
})

test('followTransaction returns unknown after 25 seconds, and keeps the entry [R9.1.4]', async () => {
  const { clock, send, follow, list } = await visit()
  const hash = await send()
  const outcome = follow(hash)
  await expect.poll(() => clock.waiting()).toBeGreaterThan(0)
  clock.advance(24_999)
  await flushTasks()
  expect(list()).toMatchObject([{ status: 'pending' }])
  clock.advance(1)
  expect(await outcome).toEqual({ status: 'unknown', hash })
  expect(list()).toMatchObject([{ hash, status: 'unknown' }])
})

test('only watchPending looks up transactions every half minute [R4.4.7] [R9.1.8]', async () => {
  const { latchkey, adapter, clock, send, follow, list } = await visit()
  const hash = await send()
  const outcome = follow(hash)
  await expect.poll(() => clock.waiting()).toBeGreaterThan(0)
  clock.advance(25_000)
  await outcome
  expect(clock.waiting()).toBe(0)
  const stop = watchPending(latchkey)
  adapter.mine(hash)
  clock.advance(29_999)
  await flushTasks()
  expect(list()).toMatchObject([{ status: 'unknown' }])
  clock.advance(1)
  await expect.poll(list).toEqual([])
  await expect.poll(() => clock.waiting()).toBe(1)
  stop()
  expect(clock.waiting()).toBe(0)
})

test('watchPending stops after the 99th transaction [R4.4.7] [R9.1.8]', async () => {
  const { latchkey, clock, from, list } = await visit()
  const put = (count: number): void =>
    pendingTransactions(latchkey).setState(
      Array.from({ length: count }, (_, index) => ({
        hash: `0x${index}`,
        chainId,
        from,
        what,
        since: 0,
        status: 'pending' as const,
      })),
      true,
    )
  watchPending(latchkey)
  put(98)
  clock.advance(30_000)
  await expect.poll(() => clock.waiting()).toBe(1)
  put(99)
  clock.advance(30_000)
  await flushTasks()
  expect(clock.waiting()).toBe(0)
  expect(list().length).toBe(99)
})

test('the list keeps the newest 99 transactions', async () => {
  const { clock, follow, list } = await visit()
  const all = Array.from({ length: 100 }, (_, index) => follow(`0x${index}`))
  expect(list().length).toBe(99)
  expect(list()[0]?.hash).toBe('0x99')
  await expect.poll(() => clock.waiting()).toBe(100)
  clock.advance(25_000)
  expect((await Promise.all(all)).every(({ status }) => status === 'unknown')).toBe(true)
})

test('replaceTransaction sends one request, even when it is called again after the wallet has responded', async () => {
  const { latchkey, adapter, send, follow } = await visit()
  const hash = await send()
  void follow(hash)
  const requests: string[] = []
  const transfers: Pick<Transfers, 'replace'> = {
    async replace(_connection, _network, _from, { nonce }, how) {
      requests.push(how)
      return { hash: `0xf${requests.length}`, nonce }
    },
  }
  adapter.transfers = async () => transfers as Transfers
  const first = await replaceTransaction(latchkey, { hash, chainId }, 'faster')
  expect(await replaceTransaction(latchkey, { hash, chainId }, 'faster')).toBe(first)
  const other = replaceTransaction(latchkey, { hash, chainId }, 'cancel')
  await expect(other).rejects.toMatchObject({ code: 'transaction/not-replaceable' })
  expect(requests).toEqual(['faster'])
})

/** Lists a payment and a replacement that shares its nonce unless another one is given, and mines the replacement. */
async function mineReplacement(how: 'faster' | 'cancel', nonce = 7) {
  const world = await visit()
  const { latchkey, clock, from, events, list } = world
  const [hash, by] = ['0xa', '0xb']
  let isMined = false
  const transfers: Pick<Transfers, 'replace' | 'follow'> = {
    replace: async () => ({ hash: by }),
    async follow(_network, _from, sent, { onFound }) {
      await expect.poll(() => isMined).toBe(true)
      if (sent.hash === hash) return { status: 'unknown', hash }
      onFound?.({ ...sent, nonce })
      return { status: 'mined', hash: sent.hash, blockNumber: 1n }
    },
  }
  world.adapter.transfers = async () => transfers as Transfers
  const entry = { hash, chainId, from, what, nonce: 7, since: clock.now(), status: 'unknown' } as const
  pendingTransactions(latchkey).setState([entry], true)
  const { outcome } = await replaceTransaction(latchkey, { hash, chainId }, how)
  isMined = true
  await outcome
  return { ...world, hash, by, from, outcomes: events.filter(({ type }) => type === 'transaction'), list }
}

test.each([
  ['faster', 'repriced'],
  ['cancel', 'cancelled'],
] as const)('a mined replacement (%s) reports the original as %s', async (how, kind) => {
  const { outcomes, hash, by, from, list } = await mineReplacement(how)
  expect(outcomes).toEqual([
    { type: 'transaction', chainId, from, hash: by, status: 'mined' },
    { type: 'transaction', chainId, from, hash, status: 'replaced', by, how: kind },
  ])
  expect(list()).toEqual([])
})

test('a mined cancellation with another nonce leaves the original pending', async () => {
  const { outcomes, hash, by, from, list } = await mineReplacement('cancel', 8)
  expect(outcomes).toEqual([{ type: 'transaction', chainId, from, hash: by, status: 'mined' }])
  expect(list()).toMatchObject([{ hash, nonce: 7 }])
})

test('sendTracked returns the position of the account before the transaction, or the hash alone', async () => {
  const { latchkey, adapter } = await visit()
  const request = { to: 'x'.repeat(40), value: 1n }
  const transfers: Pick<Transfers, 'readOrigin'> = {
    readOrigin: async () => ({ expectedNonce: 4, block: 12n, content: '0xcc' }),
  }
  adapter.transfers = async () => transfers as Transfers
  expect(await sendTracked(getActiveConnection(latchkey), request)).toEqual({
    hash: expect.any(String),
    expectedNonce: 4,
    block: 12n,
    content: '0xcc',
  })
  transfers.readOrigin = async () => Promise.reject(new Error('unreachable'))
  expect(await sendTracked(getActiveConnection(latchkey), request)).toEqual({ hash: expect.any(String) })
})

test('stopTracking removes a transaction from the list and from the storage', async () => {
  const { latchkey, storage, clock, send, follow, list } = await visit()
  const hash = await send()
  const outcome = follow(hash)
  await expect.poll(() => clock.waiting()).toBeGreaterThan(0)
  clock.advance(25_000)
  await outcome
  expect([...storage.values.values()].join()).toContain(hash)
  stopTracking(latchkey, { hash, chainId })
  expect(list()).toEqual([])
  expect([...storage.values.values()].join()).not.toContain(hash)
})

test('a transaction with an expected nonce is not replaced by another one of the list', async () => {
  const { latchkey, adapter, from, list } = await visit()
  const transfers: Pick<Transfers, 'follow'> = {
    follow: async (_network, _from, { hash }) =>
      hash === '0xa'
        ? { status: 'mined', hash, blockNumber: 1n }
        : { status: 'replaced', hash, by: '0xa', how: 'repriced' },
  }
  adapter.transfers = async () => transfers as Transfers
  const follow = (hash: string) =>
    followTransaction(latchkey, { sent: { hash, expectedNonce: 4 }, chainId, from, what })
  await follow('0xa')
  expect(await follow('0xb')).toEqual({ status: 'unknown', hash: '0xb' })
  expect(list()).toMatchObject([{ hash: '0xb', status: 'unknown' }])
  expect(await follow('0xc')).toMatchObject({ status: 'unknown' })
})

test('replaceTransaction rejects without support of the namespace, and for unlisted transactions', async () => {
  const { latchkey, send, follow } = await visit()
  const hash = await send()
  void follow(hash)
  for (const each of [hash, '0x12']) {
    const failure = await getRejection(replaceTransaction(latchkey, { hash: each, chainId }, 'cancel'))
    expect(failure).toMatchObject({ code: 'transaction/not-replaceable' })
  }
})
