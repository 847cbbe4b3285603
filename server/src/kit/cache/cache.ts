import { randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../runtime/clock.ts'

export type CacheOptions<value> = {
  clock: Clock
  ttlMs: number
  /** The least recently used entry is evicted first. */
  maxEntries: number
  /** Also limits the memory of the values, whose sizes it estimates. */
  memory?: { maxBytes: number; estimateBytes(value: value): number }
  /** Shares values and invalidations with the other processes, under a name that is unique to this cache. */
  shared?: { bus: Bus; name: string }
}

/** A cache that loads missing values. */
export type Cache<value> = {
  /**
   * Gets the value of a key, and loads it if it is missing. Concurrent calls share one load. All of them get its error,
   * which is not cached. An entry near its expiry is refreshed in the background, at a random moment, so that callers
   * don't wait and entries that were loaded together don't expire together.
   */
  get(key: string, load: () => Promise<value>): Promise<value>
  /** Loads a value although it is cached. Calls that follow share the load. */
  reload(key: string, load: () => Promise<value>): Promise<value>
  /** Removes keys, here and in other processes. */
  invalidate(keys: readonly string[]): void
  invalidateAll(): void
  /** Removes keys in this process only, because every process learns of the change itself. */
  drop(keys: readonly string[]): void
  /** Like `drop`, for each key that matches. */
  dropMatching(matches: (key: string) => boolean): void
  close(): void
}

/** A value in an object, because `lru-cache` does not store every type. */
type Entry<value> = { value: value; refreshFrom: number }

/** About the memory of an entry without the letters of its key and its value, as measured. */
const entryBytes = 350

/** Each entry is refreshed at a random share of its TTL, in per cent. */
const refreshPercent = { from: 60, to: 95 } as const

/** Creates an empty cache of values that can be written as JSON. */
export function createCache<value>(options: CacheOptions<value>): Cache<value> {
  const { clock, shared } = options
  const { entries, store } = createEntries<value>(options)
  const loads = createLoads<value>()

  function remove(keys: readonly string[]): void {
    for (const key of keys) entries.delete(key)
    loads.discard(keys)
  }

  function removeAll(): void {
    entries.clear()
    loads.discardAll()
  }

  const dropped = createRecentDrops(clock)
  /** Another process may have loaded a value before the change, and published it before it knew of the change. */
  const storeShared = (key: string, value: value): void => {
    if (!dropped.has(key)) store(key, value)
  }
  const sharing = shareCache<value>(shared, { store: storeShared, remove, removeAll })

  function load(key: string, loadValue: () => Promise<value>): Promise<value> {
    return loads.run(key, loadValue, (value) => {
      store(key, value)
      sharing.publish(() => ({ kind: 'value', key, text: JSON.stringify(value) }))
    })
  }

  return {
    async get(key, loadValue) {
      const entry = entries.get(key)
      if (entry === undefined) return load(key, loadValue)
      if (clock.now() >= entry.refreshFrom) load(key, loadValue).catch(() => undefined)
      return entry.value
    },
    reload(key, loadValue) {
      loads.discard([key])
      return load(key, loadValue)
    },
    invalidate(keys) {
      remove(keys)
      sharing.publish(() => ({ kind: 'forget', key: keys.join('\n') }))
    },
    invalidateAll() {
      removeAll()
      sharing.publish(() => ({ kind: 'all' }))
    },
    drop(keys) {
      remove(keys)
      dropped.add(keys)
    },
    dropMatching(matches) {
      remove([...entries.keys(), ...loads.keys()].filter(matches))
      dropped.addAll()
    },
    close: sharing.close,
  }
}

/** Creates the entries, and the function that stores a value. */
function createEntries<value>({ clock, ttlMs, maxEntries, memory }: CacheOptions<value>) {
  // `lru-cache` still returns an entry whose age equals its TTL.
  const ttl = Math.max(1, ttlMs - 1)
  const entries = new LRUCache<string, Entry<value>>({
    max: maxEntries,
    ttl,
    perf: clock,
    ttlResolution: 0,
    ...(memory !== undefined && {
      maxSize: memory.maxBytes,
      sizeCalculation: ({ value }, key) => entryBytes + key.length + Math.ceil(memory.estimateBytes(value)),
    }),
  })
  let purgedAt = clock.now()
  return {
    entries,
    store(key: string, value: value): void {
      const now = clock.now()
      const percent = randomInt(refreshPercent.from, refreshPercent.to)
      entries.set(key, { value, refreshFrom: now + (ttlMs * percent) / 100 })
      // Most keys are not read again, and their values would stay until the cache is full.
      if (now - purgedAt < ttlMs) return
      purgedAt = now
      entries.purgeStale()
    },
  }
}

/** Time in which a message between processes arrives. */
const recentMs = 2_000
const maxRecentKeys = 20_000

/** Creates the list of the keys that were dropped within the last seconds. */
function createRecentDrops(clock: Clock) {
  const keys = new LRUCache<string, true>({ max: maxRecentKeys, ttl: recentMs, perf: clock, ttlResolution: 0 })
  let allUntil = Number.NEGATIVE_INFINITY

  return {
    has: (key: string): boolean => clock.now() < allUntil || keys.has(key),
    add: (added: readonly string[]): void => added.forEach((key) => keys.set(key, true)),
    addAll: (): void => void (allUntil = clock.now() + recentMs),
  }
}

/** Pending loads by key. */
type Loads<value> = {
  /** Joins the pending load of a key, or starts one. Calls `loaded` unless the key was discarded in the meantime. */
  run(key: string, load: () => Promise<value>, loaded: (value: value) => void): Promise<value>
  keys(): Iterable<string>
  discard(keys: readonly string[]): void
  discardAll(): void
}

function createLoads<value>(): Loads<value> {
  const pending = new Map<string, Promise<value>>()

  return {
    run(key, load, loaded) {
      const existing = pending.get(key)
      if (existing !== undefined) return existing
      const isCurrent = (): boolean => pending.get(key) === promise
      const promise: Promise<value> = load()
        .then((value) => {
          if (isCurrent()) loaded(value)
          return value
        })
        .finally(() => {
          if (isCurrent()) pending.delete(key)
        })
      pending.set(key, promise)
      return promise
    },
    keys: () => pending.keys(),
    // The loaded value may be outdated, so later calls must not wait for it.
    discard: (keys) => keys.forEach((key) => pending.delete(key)),
    discardAll: () => pending.clear(),
  }
}

type SharedMessage = { kind: 'all' } | { kind: 'forget'; key: string } | { kind: 'value'; key: string; text: string }

type SharedHandlers<value> = {
  store(key: string, value: value): void
  remove(keys: readonly string[]): void
  removeAll(): void
}

/** Applies the changes of other processes. Does nothing in a single process. */
function shareCache<value>(
  shared: CacheOptions<value>['shared'],
  { store, remove, removeAll }: SharedHandlers<value>,
): { publish(createMessage: () => SharedMessage): void; close(): void } {
  if (shared?.bus.spansProcesses !== true) return { publish: () => undefined, close: () => undefined }
  const { bus, name } = shared
  const channel = `cache/${name}`
  const subscription = bus.subscribe(channel, ({ kind, key, text }) => {
    if (kind === 'all') removeAll()
    else if (kind === 'forget') remove(String(key).split('\n'))
    // Another process of this server wrote it, from a value of this type.
    else if (typeof key === 'string' && typeof text === 'string') store(key, JSON.parse(text) as value)
  })
  // Invalidations may have been missed.
  bus.onGap(removeAll)
  return { publish: (createMessage) => bus.publish(channel, createMessage()), close: subscription.stop }
}
