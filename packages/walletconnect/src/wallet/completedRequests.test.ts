import { fakeStorage, manualClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { createCompletedRequests, type CompletedRequest } from './completedRequests.ts'

const [first, second] = ['a1'.repeat(32), 'b2'.repeat(32)]

function openRequests(storage = fakeStorage()) {
  const clock = manualClock()
  const requests = createCompletedRequests(storage, 'wallet/', clock)
  const expiry = Math.floor(clock.now() / 1000) + 900
  const complete = (topic: string, id: number, response: unknown = '0x'): void =>
    requests.add({ topic, id, expiry, rememberUntil: expiry + 900, response: { result: response } })
  const sizeInStorage = (): number => storage.getItem('wallet/completed')?.length ?? 0
  return { requests, complete, clock, storage, sizeInStorage }
}

const resultOf = (found: CompletedRequest | undefined): unknown =>
  found?.response !== undefined && 'result' in found.response ? found.response.result : found

test('a request is found by its topic and id, even after a reload', () => {
  const { complete, storage } = openRequests()
  complete(first, 7, 'of the first')
  complete(second, 7, 'of the second')
  const { requests } = openRequests(storage)
  expect(resultOf(requests.find({ topic: first, id: 7 }))).toBe('of the first')
  expect(resultOf(requests.find({ topic: second, id: 7 }))).toBe('of the second')
  expect(requests.find({ topic: first, id: 8 })).toBeUndefined()
})

test('a response is removed at the expiry, and the request when it is too old to be accepted', () => {
  const { requests, complete, clock } = openRequests()
  complete(first, 7)
  clock.advance(900_000)
  expect(requests.find({ topic: first, id: 7 })).toMatchObject({ id: 7 })
  expect(requests.find({ topic: first, id: 7 })).not.toHaveProperty('response')
  clock.advance(900_000)
  expect(requests.find({ topic: first, id: 7 })).toBeUndefined()
})

test('thousands of requests of one dapp take bounded space and do not remove those of another', () => {
  const { requests, complete, storage, sizeInStorage } = openRequests()
  complete(first, 7, 'of the first')
  complete(second, 0)
  const [own, other] = JSON.parse(storage.getItem('wallet/completed') ?? '')
  const others = Array.from({ length: 5000 }, (_, at) => ({ ...other, id: at + 1 }))
  storage.setItem('wallet/completed', JSON.stringify([own, ...others]))
  complete(second, 5001)
  expect(sizeInStorage()).toBeLessThanOrEqual(262_144)
  expect(resultOf(requests.find({ topic: first, id: 7 }))).toBe('of the first')
  expect(requests.find({ topic: second, id: 5001 })).toBeDefined()
  expect(requests.find({ topic: second, id: 1 })).toBeUndefined()
})

test('large responses are dropped before their requests', () => {
  const { requests, complete, sizeInStorage } = openRequests()
  for (let id = 1; id <= 10; id += 1) complete(first, id, 'f'.repeat(100_000))
  expect(sizeInStorage()).toBeLessThanOrEqual(262_144)
  for (let id = 1; id <= 10; id += 1) expect(requests.find({ topic: first, id })).toBeDefined()
  expect(requests.find({ topic: first, id: 1 })).not.toHaveProperty('response')
  expect(requests.find({ topic: first, id: 10 })).toHaveProperty('response')
})

test('responses are kept while all of them fit', () => {
  const { requests, complete } = openRequests()
  for (const id of [1, 2]) complete(first, id, 'f'.repeat(100_000))
  expect(requests.find({ topic: first, id: 1 })).toHaveProperty('response')
  expect(requests.find({ topic: first, id: 2 })).toHaveProperty('response')
})

test('the topic that takes the most space loses its responses, wherever it is in the list', () => {
  const { requests, complete } = openRequests()
  complete(second, 1)
  for (let id = 1; id <= 3; id += 1) complete(first, id, 'f'.repeat(100_000))
  complete(second, 2)
  expect(requests.find({ topic: first, id: 1 })).not.toHaveProperty('response')
  for (const id of [1, 2]) expect(requests.find({ topic: second, id })).toHaveProperty('response')
})

test('a request that is completed again has its latest response', () => {
  const { requests, complete, storage } = openRequests()
  complete(first, 7, 'one')
  complete(first, 8, 'other')
  complete(first, 7, 'two')
  expect(resultOf(requests.find({ topic: first, id: 7 }))).toBe('two')
  expect(JSON.parse(storage.getItem('wallet/completed') ?? '')).toHaveLength(2)
})

test.each([
  ['a topic that is not hex', { topic: 'topic' }],
  ['an id that is text', { id: '7' }],
  ['an id that is not an integer', { id: 7.5 }],
  ['an expiry that is text', { expiry: '1e12' }],
  ['a time to remember that is text', { rememberUntil: '1e12' }],
  ['a response without a result or a code', { response: { error: 'no' } }],
])('an entry in the storage with %s is ignored', (_, members) => {
  const entry = { topic: first, id: 7, expiry: 1e12, rememberUntil: 1e12 }
  const stored = (each: object): CompletedRequest | undefined => {
    const values = { 'wallet/completed': JSON.stringify([each]) }
    // The entry may have another type than its identity.
    return openRequests(fakeStorage({ values })).requests.find(each as CompletedRequest)
  }
  expect(stored(entry)).toEqual(entry)
  expect(stored({ ...entry, ...members })).toBeUndefined()
})

test('malformed entries in the storage are ignored', () => {
  const stored = [
    null,
    { topic: first },
    { topic: first, id: '7', expiry: 1e12, rememberUntil: 1e12 },
    { topic: first, id: 7.5, expiry: 1e12, rememberUntil: 1e12 },
    { topic: first, id: 7, expiry: 1e12, rememberUntil: 1e12, response: { error: 'no' } },
  ]
  const { requests, complete } = openRequests(fakeStorage({ values: { 'wallet/completed': JSON.stringify(stored) } }))
  expect(requests.find({ topic: first, id: 7 })).toBeUndefined()
  complete(first, 7)
  expect(requests.find({ topic: first, id: 7 })).toBeDefined()
})
