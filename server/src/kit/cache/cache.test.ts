import { expect, test } from 'vitest'
import { createInProcessBus, type Bus } from '../bus/bus.ts'
import { measureHeap } from './measureHeap.ts'
import { createCache, type Cache } from './cache.ts'

function createWorld({ ttl = 1_000, limit = 3, bus }: { ttl?: number; limit?: number; bus?: Bus } = {}) {
  let now = 1_000
  let loads = 0
  const clock = { now: () => now }
  const cache = createCache<string>({
    clock,
    ttlMs: ttl,
    maxEntries: limit,
    ...(bus && { shared: { bus, name: 'test' } }),
  })
  const load = async (): Promise<string> => `value ${(loads += 1)}`
  return {
    cache,
    load,
    get: (key = 'a') => cache.get(key, load),
    pass: (by: number) => void (now += by),
    loads: () => loads,
  }
}

/** A bus of one process that says it is of several: what is published comes back. */
const createSharedBus = (): Bus => ({ ...createInProcessBus(), spansProcesses: true })

test('an entry expires when its age reaches the TTL', async () => {
  const { get, pass } = createWorld({ ttl: 1_000 })
  await get()
  pass(1_000)
  expect(await get()).toBe('value 2')
})

test('a cache with a limit of bytes evicts the entries that were used least recently', async () => {
  const maxBytes = 10_000
  let bytes = 1_000
  const memory = { maxBytes, estimateBytes: () => bytes }
  const cache = createCache<string>({ clock: { now: () => 0 }, ttlMs: 1_000, maxEntries: 1_000, memory })
  const loads: string[] = []
  const get = (key: string): Promise<string> =>
    cache.get(key, async () => {
      loads.push(key)
      return key
    })
  for (let each = 0; each < 20; each += 1) await get(String(each))
  await get('19')
  expect(loads).toHaveLength(20)
  await get('0')
  expect(loads).toHaveLength(21)
  // A value that exceeds the limit alone is returned, and not stored.
  bytes = maxBytes + 1
  expect(await get('large')).toBe('large')
  expect(await get('large')).toBe('large')
  expect(loads).toHaveLength(23)
})

test('a cache removes expired entries that are not read, once their lifetime has passed twice', async () => {
  let now = 1_000
  const cache = createCache<object>({ clock: { now: () => now }, ttlMs: 1_000, maxEntries: 1_000 })
  const store = async (key: string): Promise<WeakRef<object>> =>
    new WeakRef(await cache.get(key, async () => ({ key })))
  const kept = await store('a')
  await Promise.all([store('b'), store('c')])
  now = 2_000
  await store('d')
  // A weak reference holds its object until the turn of the event loop has ended.
  await new Promise(setImmediate)
  measureHeap()
  expect(kept.deref()).toBeUndefined()
})

test('a cache loads a value once for concurrent callers and keeps it for its lifetime', async () => {
  const { get, pass, loads } = createWorld()
  expect(await Promise.all([get(), get(), get()])).toEqual(['value 1', 'value 1', 'value 1'])
  pass(500)
  expect(await get()).toBe('value 1')
  pass(600)
  expect(await get()).toBe('value 2')
  expect(loads()).toBe(2)
})

test('a cache refreshes a value before it expires and still returns it in the meantime', async () => {
  const { get, pass } = createWorld()
  await get()
  pass(990)
  expect(await get()).toBe('value 1')
  await Promise.resolve()
  expect(await get()).toBe('value 2')
})

test('a cache rejects all waiting callers after a failure and does not keep the failure', async () => {
  const { cache, get } = createWorld()
  const failing = (): Promise<string> => Promise.reject(new Error('away'))
  const results = await Promise.allSettled([cache.get('a', failing), cache.get('a', failing)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await get()).toBe('value 1')
})

test('a cache keeps the most recently used values up to its limit', async () => {
  const { get, loads } = createWorld({ limit: 2 })
  await get('a')
  await get('b')
  await get('a')
  await get('c')
  expect(await get('a')).toBe('value 1')
  await get('b')
  expect(loads()).toBe(4)
})

test('a cache discards a pending load that was invalidated', async () => {
  const { cache, get } = createWorld()
  let finish = (_value: string): void => {}
  const slow = cache.get('a', () => new Promise((resolve) => (finish = resolve)))
  cache.invalidate(['a'])
  finish('old')
  expect(await slow).toBe('old')
  expect(await get()).toBe('value 1')
})

test('a cache loads a value again after an invalidation, even while an older load is pending', async () => {
  const { cache, get } = createWorld()
  let finish = (_value: string): void => {}
  const slow = cache.get('a', () => new Promise((resolve) => (finish = resolve)))
  cache.drop(['a'])
  expect(await get()).toBe('value 1')
  finish('old')
  expect(await slow).toBe('old')
  expect(await get()).toBe('value 1')
})

test('a cache shares the load that follows an invalidation, even after the older load ended', async () => {
  const { cache, load } = createWorld()
  const finishers: ((value: string) => void)[] = []
  const loadSlowly = (): Promise<string> => new Promise((resolve) => finishers.push(resolve))
  const old = cache.get('a', loadSlowly)
  cache.drop(['a'])
  const next = cache.get('a', loadSlowly)
  finishers[0]?.('old')
  await old
  const joined = cache.get('a', load)
  finishers[1]?.('new')
  expect(await Promise.all([next, joined])).toEqual(['new', 'new'])
})

test.each([
  ['one key', (cache: Cache<string>) => cache.drop(['a'])],
  ['all keys that match', (cache: Cache<string>) => cache.dropMatching((key) => key.startsWith('a'))],
])('a cache ignores a value of another process that was loaded before a drop of %s', async (_what, drop) => {
  const bus = createSharedBus()
  const { cache, get, pass } = createWorld({ bus, ttl: 60_000 })
  drop(cache)
  bus.publish('cache/test', { kind: 'value', key: 'a', text: '"old"' })
  expect(await get()).toBe('value 1')
  pass(5_000)
  bus.publish('cache/test', { kind: 'value', key: 'a', text: '"new"' })
  expect(await get()).toBe('new')
})

test('a cache shares values and invalidations with other processes', async () => {
  const bus = createSharedBus()
  const [here, there] = [createWorld({ bus }), createWorld({ bus })]
  expect(await here.get()).toBe('value 1')
  expect(await there.get()).toBe('value 1')
  expect(there.loads()).toBe(0)
  here.cache.invalidate(['a'])
  expect(await there.get()).toBe('value 1')
  expect(there.loads()).toBe(1)
  here.cache.invalidateAll()
  await there.get()
  expect(there.loads()).toBe(2)
})
