import { setTimeout as sleep } from 'node:timers/promises'

/** Groups items that are added at the same time, or while another group runs, into one call. */
export type Batch<Item, Result> = {
  /** Adds an item to the next group. Settles with the item's own result, or with the error of its group. */
  add(item: Item): Promise<Result>
  /** Resolves when everything added so far is done, successfully or not. */
  idle(): Promise<void>
}

/** The queue of a batch is full. Callers should refuse work instead of waiting. */
export class BatchFullError extends Error {}

/** The fewest expected items that are worth gathering. */
const minGathered = 3
/** The rate is averaged over this time. */
const averagingMs = 50
/** The most groups in a row that are not gathered. */
const maxSkippedGroups = 1_000

type QueuedItem<Item, Result> = {
  item: Item
  bytes: number
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/** Limits of bytes. The first item always fits, so that none is too large for a group. */
export type BatchBytes<Item> = {
  group: number
  /** The most bytes of waiting items and of the group that runs. */
  queue: number
  of(item: Item): number
}

export type BatchLimits<Item> = {
  /** The most items of one group. */
  group: number
  /** The most waiting items. One more is refused with BatchFull. */
  queue: number
  /**
   * Time for which a group is gathered under load, in milliseconds; 0 by default. A single caller that adds items one by
   * one never waits.
   */
  gather?: number
  /**
   * True if a group that is not gathered starts without the end of the turn of the event loop, which takes long when thousands of
   * connections end at once. Items that are added one after the other still share a group.
   */
  startsAtOnce?: boolean
  bytes?: BatchBytes<Item>
  /**
   * Captures the context of an added item, and returns a function that runs work in it. A group runs in the context of
   * its first item; without this option, in that of the item that started the batch.
   */
  capture?: () => RunInContext
}

/** Runs work in a context, such as that of a trace. */
export type RunInContext = <result>(work: () => result) => result

/**
 * Creates a batch. One group runs at a time, so items keep their order. Items that are added in the meantime form the
 * next group, so groups grow with the load.
 *
 * @param run processes a group and returns one result or one Error per item, in the same order
 * @example const store = createBatch((rows) => insert(rows), { group: 500, queue: 20_000 })
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  limits: BatchLimits<Item>,
): Batch<Item, Result> {
  const { bytes, capture } = limits
  const gathering = createGathering(limits.gather ?? 0, limits.startsAtOnce ?? false)
  let waiting: QueuedItem<Item, Result>[] = []
  let queuedBytes = 0
  let working: Promise<void> | undefined
  let inContext: RunInContext = (work) => work()

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await gathering.wait()
      const size = countGroup(waiting, limits)
      const group = waiting.slice(0, size)
      waiting = waiting.slice(size)
      gathering.count(group.length)
      await inContext(() => runGroup(group, run))
      for (const { bytes: size } of group) queuedBytes -= size
    }
    working = undefined
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        const size = bytes?.of(item) ?? 0
        const isTooMuch = bytes !== undefined && queuedBytes > 0 && queuedBytes + size > bytes.queue
        if (waiting.length >= limits.queue || isTooMuch) return reject(new BatchFullError('Too much waits already.'))
        queuedBytes += size
        if (capture !== undefined && waiting.length === 0) inContext = capture()
        waiting.push({ item, bytes: size, resolve, reject })
        working ??= work()
      }),
    idle: async () => {
      while (working !== undefined) await working
    },
  }
}

/**
 * Decides how long to gather: for one turn of the event loop, or for some milliseconds if several items are expected. If
 * too few arrive, it is tried again after more and more groups, because the callers probably add one item at a time.
 */
function createGathering(
  milliseconds: number,
  startsAtOnce: boolean,
): { wait(): Promise<void>; count(items: number): void } {
  let perMillisecond = 0
  let countedAt = performance.now()
  let isGathering = false
  let skip = 0
  let nextSkip = 1

  return {
    async wait() {
      isGathering = skip === 0 && perMillisecond * milliseconds >= minGathered
      if (isGathering) await sleep(milliseconds)
      else if (!startsAtOnce) await new Promise(setImmediate)
    },
    count(items) {
      const now = performance.now()
      const passed = Math.max(now - countedAt, 0.1)
      countedAt = now
      // The more time has passed, the less the average counts.
      perMillisecond += (items / passed - perMillisecond) * (passed / (passed + averagingMs))
      skip = Math.max(0, skip - 1)
      if (!isGathering) return
      skip = items < minGathered ? nextSkip : 0
      nextSkip = items < minGathered ? Math.min(nextSkip * 2, maxSkippedGroups) : 1
    },
  }
}

/** Counts the items of the next group. */
function countGroup<Item, Result>(waiting: readonly QueuedItem<Item, Result>[], limits: BatchLimits<Item>): number {
  const { group, bytes } = limits
  if (bytes === undefined) return group
  let size = 0
  const tooMany = waiting.findIndex(({ bytes: added }, index) => {
    size += added
    return index > 0 && (index >= group || size > bytes.group)
  })
  return tooMany === -1 ? group : tooMany
}

async function runGroup<Item, Result>(
  group: readonly QueuedItem<Item, Result>[],
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
): Promise<void> {
  try {
    const results = await run(group.map(({ item }) => item))
    group.forEach(({ resolve, reject }, index) => {
      const result = results[index]
      if (result === undefined) reject(new Error('A batch returned fewer results than items.'))
      else if (result instanceof Error) reject(result)
      else resolve(result)
    })
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
