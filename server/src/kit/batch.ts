import { setTimeout as sleep } from 'node:timers/promises'

/** Work that is cheaper done together: what one turn of the event loop asks for is carried out by one call. */
export type Batch<Item, Result> = {
  /** Joins the next group; settles with the item's own result, or fails when its group failed. */
  add(item: Item): Promise<Result>
  /** Settles once everything added so far has been carried out, well or not. */
  idle(): Promise<void>
}

/** The queue before a batch is full: the caller should say "try again" rather than wait. */
export class BatchFull extends Error {}

/** How many items have to be expected for a group to wait for them. */
const company = 3
/** Milliseconds over which the pace is averaged. */
const memory = 50
/** Most groups for which gathering is not tried. */
const longestRest = 1_000

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

export type BatchLimits = {
  /** Most items in one group. */
  group: number
  /** Most items waiting; one more is refused with BatchFull. */
  queue: number
  /**
   * How long a group may be gathered under load, in milliseconds; none by default. Somebody who asks for one thing after
   * the other never waits for company that does not come.
   */
  gather?: number
}

/**
 * Groups work. One group runs at a time, so items keep the order in which they came; whatever comes while a group runs
 * makes the next one, so groups grow with the load.
 *
 * @param run carries out a group and answers one result, or one Error, per item and in the same order
 * @example const store = createBatch((rows) => insert(rows), { group: 500, queue: 20_000 })
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  limits: BatchLimits,
): Batch<Item, Result> {
  const gathering = createGathering(limits.gather ?? 0)
  let waiting: Waiting<Item, Result>[] = []
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      await gathering.wait()
      const group = waiting.slice(0, limits.group)
      waiting = waiting.slice(limits.group)
      gathering.count(group.length)
      await settle(group, run)
    }
    working = undefined
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= limits.queue) return reject(new BatchFull(`More than ${limits.queue} wait already.`))
        waiting.push({ item, resolve, reject })
        working ??= work()
      }),
    idle: async () => {
      while (working !== undefined) await working
    },
  }
}

/**
 * Decides how long to gather: for one turn of the event loop, or for some milliseconds when items come fast enough for
 * several to meet. Where they did not meet, it is tried again later and later: then each waits for the one before.
 */
function createGathering(milliseconds: number): { wait(): Promise<void>; count(items: number): void } {
  let perMillisecond = 0
  let countedAt = performance.now()
  let isTrying = false
  let rest = 0
  let nextRest = 1

  return {
    async wait() {
      isTrying = rest === 0 && perMillisecond * milliseconds >= company
      if (isTrying) await sleep(milliseconds)
      else await new Promise(setImmediate)
    },
    count(items) {
      const now = performance.now()
      const passed = Math.max(now - countedAt, 0.1)
      countedAt = now
      // The more time has passed, the less the past says about now.
      perMillisecond += (items / passed - perMillisecond) * (passed / (passed + memory))
      rest = Math.max(0, rest - 1)
      if (!isTrying) return
      rest = items < company ? nextRest : 0
      nextRest = items < company ? Math.min(nextRest * 2, longestRest) : 1
    },
  }
}

async function settle<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
): Promise<void> {
  try {
    const results = await run(group.map(({ item }) => item))
    group.forEach(({ resolve, reject }, index) => {
      const result = results[index]
      if (result === undefined) reject(new Error('A batch answered fewer results than it was given items.'))
      else if (result instanceof Error) reject(result)
      else resolve(result)
    })
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
