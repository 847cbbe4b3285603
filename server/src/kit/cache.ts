import { randomInt } from 'node:crypto'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'

export type CacheParts = {
  clock: Clock
  /** How long a value is good, in milliseconds. */
  ttl: number
  /** How many are kept; the one that was not asked for the longest goes first. */
  limit: number
  /** Shares values and what is forgotten with the other processes, under a name of this cache's own. */
  shared?: { bus: Bus; name: string }
}

/** Values that are kept for a while. */
export type Cache<value> = {
  /**
   * The value under a key, loaded when it is not there. However many ask, it is loaded once; a failure is told to all
   * of them and not kept. One that is soon too old is loaded anew while it is still given out, so that nobody waits, and
   * those loaded together are not all loaded again together.
   */
  get(key: string, load: () => Promise<value>): Promise<value>
  /** Puts a value that was just loaded. */
  put(key: string, value: value): void
  /** Forgets what is under keys, here and in other processes. */
  forget(keys: readonly string[]): void
  forgetAll(): void
  close(): void
}

type Entry<value> = { value: value; expires: number; renewFrom: number }

/** The part of a value's life, in per cent, in which it is renewed: each at another moment of it. */
const renewal = { from: 60, until: 95 } as const

/** Makes an empty cache of values that can be written as JSON. */
export function createCache<value>({ clock, ttl, limit, shared }: CacheParts): Cache<value> {
  const entries = new Map<string, Entry<value>>()
  const loading = new Map<string, Promise<value>>()
  /** Grows when something is forgotten: what was being loaded then may be old already. */
  const forgotten = new Map<string, number>()
  let generation = 0

  function keep(key: string, value: value): void {
    const now = clock.now()
    const percent = randomInt(renewal.from, renewal.until)
    entries.delete(key)
    entries.set(key, { value, expires: now + ttl, renewFrom: now + (ttl * percent) / 100 })
    const [oldest] = entries.keys()
    if (entries.size > limit && oldest !== undefined) entries.delete(oldest)
  }

  function drop(keys: readonly string[]): void {
    generation += 1
    for (const key of keys) {
      entries.delete(key)
      if (loading.has(key)) forgotten.set(key, generation)
    }
  }

  function dropAll(): void {
    generation += 1
    entries.clear()
    for (const key of loading.keys()) forgotten.set(key, generation)
  }

  const channel = shared === undefined ? undefined : `cache/${shared.name}`
  const bus = shared?.bus.spansProcesses === true ? shared.bus : undefined
  const subscription =
    bus === undefined || channel === undefined
      ? undefined
      : bus.subscribe(channel, ({ kind, key, text }) => {
          if (kind === 'all') dropAll()
          else if (kind === 'forget') drop(String(key).split('\n'))
          // Written by another process of ours, from a value of this very kind.
          else if (typeof key === 'string' && typeof text === 'string') keep(key, JSON.parse(text) as value)
        })
  bus?.onGap(dropAll)

  const tell = (message: { kind: string; key?: string; text?: string }): void => {
    if (channel !== undefined) bus?.publish(channel, message)
  }

  function load(key: string, how: () => Promise<value>): Promise<value> {
    const present = loading.get(key)
    if (present !== undefined) return present
    const begun = generation
    const promise = how()
      .then((value) => {
        if ((forgotten.get(key) ?? 0) <= begun) {
          keep(key, value)
          tell({ kind: 'value', key, text: JSON.stringify(value) })
        }
        return value
      })
      .finally(() => {
        loading.delete(key)
        forgotten.delete(key)
      })
    loading.set(key, promise)
    return promise
  }

  return {
    async get(key, how) {
      const entry = entries.get(key)
      const now = clock.now()
      if (entry === undefined || now >= entry.expires) return load(key, how)
      entries.delete(key)
      entries.set(key, entry)
      if (now >= entry.renewFrom) load(key, how).catch(() => undefined)
      return entry.value
    },
    put(key, value) {
      keep(key, value)
      tell({ kind: 'value', key, text: JSON.stringify(value) })
    },
    forget(keys) {
      drop(keys)
      tell({ kind: 'forget', key: keys.join('\n') })
    },
    forgetAll() {
      dropAll()
      tell({ kind: 'all' })
    },
    close: () => subscription?.stop(),
  }
}
