/** Work that is cheaper done together: what one turn of the event loop asks for is carried out by one call. */
export type Batch<Item, Result> = {
  /** Joins the next group; settles with the item's own result, or fails when its group failed. */
  add(item: Item): Promise<Result>
  /** Settles once everything added so far has been carried out, well or not. */
  idle(): Promise<void>
}

/** The queue before a batch is full: the caller should say "try again" rather than wait. */
export class BatchFull extends Error {}

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Groups work. One group runs at a time, so items keep the order in which they came; whatever comes while a group runs
 * makes the next one, so groups grow with the load.
 *
 * @param run carries out a group and answers one result, or one Error, per item and in the same order
 * @param limits.group most items in one group
 * @param limits.queue most items waiting; one more is refused with BatchFull
 * @example const store = createBatch((rows) => insert(rows), { group: 500, queue: 20_000 })
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  limits: { group: number; queue: number },
): Batch<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const group = waiting.slice(0, limits.group)
      waiting = waiting.slice(limits.group)
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
