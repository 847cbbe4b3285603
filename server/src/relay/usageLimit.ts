import type { Clock } from '../kit/clock.ts'

/** How much of something waits: undelivered messages and their bytes together. */
export type Usage = { messages: number; bytes: number }

/** Keeps what waits per key, such as a topic, under a limit without counting it for each message. */
export type UsageLimit = {
  /** Takes messages in their order, and tells for each whether there is room for it. */
  admit(messages: readonly { key: string; bytes: number }[]): Promise<readonly boolean[]>
}

export type UsageLimitOptions = {
  most: Usage
  /** Counts what waits now. Keys of which nothing waits may be left out. */
  measure(keys: readonly string[]): Promise<ReadonlyMap<string, Usage>>
  /**
   * Where measuring costs much: a key is believed to be full for so many milliseconds before it is measured again, and
   * one that is met for the first time is believed to be empty.
   */
  sparing?: { milliseconds: number; clock: Clock }
}

/** How many keys are remembered: beyond them the longest known are forgotten, and measured when they are met again. */
const rememberedKeys = 50_000
const nothing: Usage = { messages: 0, bytes: 0 }

/**
 * Makes a limit. Between two measurements it only adds; what it believes to be full it measures before it says so. A key
 * that it meets for the first time has the benefit of the doubt while it is measured.
 */
export function createUsageLimit({ most, measure, sparing }: UsageLimitOptions): UsageLimit {
  const estimates = new Map<string, Usage>()
  /** When full keys were measured last, where that is not to be done for each message. */
  const measuredAt = new Map<string, number>()

  function remember(key: string, usage: Usage): void {
    // Maps keep the order of insertion: the first is the longest unused.
    estimates.delete(key)
    estimates.set(key, usage)
    for (const oldest of estimates.keys()) {
      if (estimates.size <= rememberedKeys) break
      estimates.delete(oldest)
    }
  }

  function fits({ messages, bytes }: Usage): boolean {
    return messages <= most.messages && bytes <= most.bytes
  }

  async function learn(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const measured = await measure(keys).catch(() => new Map<string, Usage>())
    for (const key of keys) {
      const known = estimates.get(key) ?? nothing
      const counted = measured.get(key) ?? nothing
      const larger = {
        messages: Math.max(known.messages, counted.messages),
        bytes: Math.max(known.bytes, counted.bytes),
      }
      remember(key, larger)
    }
  }

  async function measureAnew(full: readonly string[]): Promise<void> {
    const keys = full.filter((key) => !isResting(key))
    if (keys.length === 0) return
    const measured = await measure(keys)
    for (const key of keys) remember(key, measured.get(key) ?? nothing)
  }

  function isResting(key: string): boolean {
    if (sparing === undefined) return false
    const now = sparing.clock.now()
    for (const [old, at] of measuredAt) {
      if (now - at < sparing.milliseconds) break
      measuredAt.delete(old)
    }
    if (measuredAt.has(key)) return true
    measuredAt.set(key, now)
    return false
  }

  return {
    async admit(messages) {
      const wanted = new Map<string, Usage>()
      for (const { key, bytes } of messages) wanted.set(key, plus(wanted.get(key) ?? nothing, bytes))
      const keys = [...wanted.keys()]
      const sum = (key: string): Usage => {
        const { messages: count, bytes } = wanted.get(key) ?? nothing
        const known = estimates.get(key) ?? nothing
        return { messages: known.messages + count, bytes: known.bytes + bytes }
      }
      const unknown = keys.filter((key) => !estimates.has(key))
      await measureAnew(keys.filter((key) => !fits(sum(key))))
      const verdicts = messages.map(({ key, bytes }) => {
        const next = plus(estimates.get(key) ?? nothing, bytes)
        if (!fits(next)) return false
        remember(key, next)
        return true
      })
      if (sparing === undefined) void learn(unknown)
      return verdicts
    },
  }
}

function plus({ messages, bytes }: Usage, more: number): Usage {
  return { messages: messages + 1, bytes: bytes + more }
}
