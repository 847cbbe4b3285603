import { expect, test } from 'vitest'
import { openingTime, openWallet, peerRequest, sessionTopics } from '../testing/openWallet.ts'
import type { WalletRequest } from './walletRequest.ts'

const [first, second] = sessionTopics
const day = 86_400_000
const requestAt = (requested: readonly WalletRequest[], at: number): WalletRequest =>
  requested[at] ?? expect.fail('not asked')

/** An id and an expiry as dapps choose them. */
const idOfNow = openingTime * 1000 + 7
const inFifteenMinutes = { expiryTimestamp: openingTime / 1000 + 900 }

test('a request that is delivered again after a reload gets the stored response, without asking the user', async () => {
  const { receive, respond, requested, storage } = openWallet()
  receive(peerRequest(first, 7))
  await respond(requestAt(requested, 0), { result: '0x12' })
  const reloaded = openWallet({ storage })
  reloaded.receive(peerRequest(first, 7))
  await expect.poll(() => reloaded.published).toEqual([{ topic: first, id: 7, response: '0x12' }])
  expect(reloaded.requested).toEqual([])
})

test('a stored response is never sent to another dapp that uses the id', async () => {
  const { receive, respond, requested, storage } = openWallet()
  receive(peerRequest(first, 7))
  await respond(requestAt(requested, 0), { result: 'signed for the first' })
  const reloaded = openWallet({ storage })
  reloaded.receive(peerRequest(second, 7))
  expect(reloaded.requested).toMatchObject([{ topic: second, id: 7 }])
  expect(reloaded.published).toEqual([])
})

test('a second request under the id of a pending one does not replace what the user sees', async () => {
  const { receive, respond, requested, storage } = openWallet()
  receive(peerRequest(first, 7, { params: ['harmless'] }))
  receive(peerRequest(first, 7, { params: ['harmful'] }))
  const reloaded = openWallet({ storage })
  reloaded.receive(peerRequest(first, 7, { params: ['harmful'] }))
  const shown = [...requested, ...reloaded.requested].map(({ params }) => params)
  expect(shown).toEqual([['harmless'], ['harmless'], ['harmless']])
  await respond(requestAt(requested, 0), { result: '0x12' })
})

test('a reused id gets the old response before its expiry, and is a new request afterwards', async () => {
  const { receive, respond, requested, published, clock } = openWallet()
  receive(peerRequest(first, 7, { params: ['one'] }))
  await respond(requestAt(requested, 0), { result: 'signed one' })
  receive(peerRequest(first, 7, { params: ['two'] }))
  await expect.poll(() => published.map(({ response }) => response)).toEqual(['signed one', 'signed one'])
  clock.advance(901_000)
  receive(peerRequest(first, 7, { params: ['three'] }))
  expect(requested.map(({ params }) => params)).toEqual([['one'], ['three']])
})

test.each([
  ['with an expiry', inFifteenMinutes],
  ['without an expiry, whose age is known by its id', {}],
])('a relay that replays an old message %s as a new one does not get it asked again, ever', async (_, expiry) => {
  const { receive, respond, requested, storage } = openWallet()
  const sealed = peerRequest(first, idOfNow, expiry)
  receive({ ...sealed, publishedAt: openingTime })
  await respond(requestAt(requested, 0), { result: '0x12' })
  for (const days of [0.5, 3, 4.1, 30]) {
    const time = openingTime + days * day
    const later = openWallet({ storage, time })
    later.receive({ ...sealed, publishedAt: time })
    expect(later.requested).toEqual([])
    await expect.poll(() => later.published).toMatchObject([{ id: idOfNow, response: { code: 8000 } }])
  }
})

test('a request whose dapp has a wrong clock is asked about, up to four days', () => {
  for (const days of [-3.9, 0, 3.9]) {
    const { receive, requested } = openWallet({ storage: openWallet().storage, time: openingTime + days * day })
    receive({ ...peerRequest(first, idOfNow, inFifteenMinutes), publishedAt: openingTime + days * day })
    expect(requested).toHaveLength(1)
  }
})

test('the refusal of a method that was not approved is kept until the relay is back', async () => {
  const { receive, relay, storage } = openWallet()
  relay.isAway = true
  receive(peerRequest(first, 7, { method: 'eth_sign' }))
  const reloaded = openWallet({ storage })
  await reloaded.responses.sendUnsent()
  expect(reloaded.published).toMatchObject([{ topic: first, id: 7, response: { code: 3001 } }])
  expect(reloaded.requested).toEqual([])
})

test('a session has at most a hundred pending requests, however small they are', { tags: 'abuse' }, async () => {
  const { receive, respond, requested, published } = openWallet()
  for (let id = 1; id <= 3_000; id += 1) receive(peerRequest(first, id))
  receive(peerRequest(second, 1))
  expect(requested).toHaveLength(101)
  await expect.poll(() => published.length).toBe(2_900)
  expect(published.every(({ response }) => Object(response).code === -32_005)).toBe(true)
  await respond(requestAt(requested, 0), { result: '0x12' })
  receive(peerRequest(first, 3_001))
  expect(requested.at(-1)).toMatchObject({ topic: first, id: 3_001 })
})

test('a dapp that sends requests without end is refused, and fills neither the storage nor the room of others', () => {
  const { receive, requested, published, storage } = openWallet()
  const params = ['f'.repeat(10_000)]
  for (let id = 1; id <= 100; id += 1) receive(peerRequest(first, id, { params }))
  expect(requested.length).toBeGreaterThan(20)
  expect(requested.length).toBeLessThan(100)
  expect(storage.getItem('wallet/inbox')?.length).toBeLessThan(600_000)
  receive(peerRequest(second, 1, { params }))
  expect(requested.at(-1)).toMatchObject({ topic: second })
  expect(published.every(({ topic }) => topic === first)).toBe(true)
})
