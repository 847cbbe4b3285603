import type { Clock } from '../../kit/runtime/clock.ts'

/** Undelivered messages and their bytes. */
export type Usage = { messages: number; bytes: number }

/** Limits the undelivered messages per key, such as a topic, without counting them for each message. */
export type StorageQuota = {
  /** Reserves room for messages in their order. @returns for each message, true if there is room for it */
  reserve(messages: readonly { key: string; bytes: number }[]): Promise<readonly boolean[]>
}

export type StorageQuotaOptions = {
  limit: Usage
  /** Counts the undelivered messages of keys. May omit keys without any. */
  measure(keys: readonly string[]): Promise<ReadonlyMap<string, Usage>>
  /** For expensive measurements: a full key is measured at most this often, and a new key counts as empty. */
  remeasure?: { milliseconds: number; clock: Clock }
}

/** The least recently used keys beyond this number are forgotten, and measured when they occur again. */
const maxKeys = 50_000
const noUsage: Usage = { messages: 0, bytes: 0 }

/**
 * Creates a quota. Between two measurements it only adds up. It measures a key before it refuses it. A new key counts as
 * empty while it is measured.
 */
export function createStorageQuota({ limit, measure, remeasure }: StorageQuotaOptions): StorageQuota {
  const estimates = createEstimates()
  const isMeasuredRecently = createMeasureThrottle(remeasure)

  function fits({ messages, bytes }: Usage): boolean {
    return messages <= limit.messages && bytes <= limit.bytes
  }

  /** Counts what was stored before the key occurred here. */
  async function measureNewKeys(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const measured = await measure(keys).catch(() => new Map<string, Usage>())
    for (const key of keys) estimates.set(key, largerUsage(estimates.get(key), measured.get(key) ?? noUsage))
  }

  async function measureFullKeys(full: readonly string[]): Promise<void> {
    const keys = full.filter((key) => !isMeasuredRecently(key))
    if (keys.length === 0) return
    const measured = await measure(keys)
    for (const key of keys) estimates.set(key, measured.get(key) ?? noUsage)
  }

  return {
    async reserve(messages) {
      const requested = new Map<string, Usage>()
      for (const { key, bytes } of messages) requested.set(key, addMessage(requested.get(key) ?? noUsage, bytes))
      const keys = [...requested.keys()]
      const newKeys = keys.filter((key) => !estimates.has(key))
      await measureFullKeys(keys.filter((key) => !fits(sumUsage(estimates.get(key), requested.get(key) ?? noUsage))))
      const results = messages.map(({ key, bytes }) => {
        const next = addMessage(estimates.get(key), bytes)
        if (!fits(next)) return false
        estimates.set(key, next)
        return true
      })
      if (remeasure === undefined) void measureNewKeys(newKeys)
      return results
    },
  }
}

type Estimates = {
  has(key: string): boolean
  /** Gets the estimate of a key; nothing for an unknown one. */
  get(key: string): Usage
  set(key: string, usage: Usage): void
}

function createEstimates(): Estimates {
  const usages = new Map<string, Usage>()
  return {
    has: (key) => usages.has(key),
    get: (key) => usages.get(key) ?? noUsage,
    set(key, usage) {
      // Maps keep the order of insertion, so the first key is the least recently used.
      usages.delete(key)
      usages.set(key, usage)
      for (const oldest of usages.keys()) {
        if (usages.size <= maxKeys) break
        usages.delete(oldest)
      }
    },
  }
}

/** Creates a check that is true for a key that was checked within the interval. */
function createMeasureThrottle(remeasure: StorageQuotaOptions['remeasure']): (key: string) => boolean {
  if (remeasure === undefined) return () => false
  const measuredAt = new Map<string, number>()
  return (key) => {
    const now = remeasure.clock.now()
    for (const [oldest, at] of measuredAt) {
      if (now - at < remeasure.milliseconds) break
      measuredAt.delete(oldest)
    }
    if (measuredAt.has(key)) return true
    measuredAt.set(key, now)
    return false
  }
}

function addMessage({ messages, bytes }: Usage, added: number): Usage {
  return { messages: messages + 1, bytes: bytes + added }
}

function sumUsage(one: Usage, other: Usage): Usage {
  return { messages: one.messages + other.messages, bytes: one.bytes + other.bytes }
}

function largerUsage(one: Usage, other: Usage): Usage {
  return { messages: Math.max(one.messages, other.messages), bytes: Math.max(one.bytes, other.bytes) }
}
