/** Runs requests in groups, the oldest first. */
export type AgedGroups<Item, Result> = {
  /**
   * Adds a request. Requests of the same age keep their order.
   *
   * @param since the time at which it was made; a follow-up has the time of the first request
   */
  add(item: Item, since: number): Promise<Result>
}

export type AgedGroupsLimits = {
  /** The most requests of one group. */
  group: number
  /** The most groups that run at the same time. */
  concurrent: number
}

type QueuedItem<Item, Result> = {
  item: Item
  since: number
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Creates an empty queue. It has no limit, so callers limit how many requests they make at the same time.
 *
 * @param run processes a group and returns a result for each request; `undefined` for those that must run again
 * @example const pages = createAgedGroups((requests) => readPages(requests), { group: 100, concurrent: 2 })
 */
export function createAgedGroups<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
  limits: AgedGroupsLimits,
): AgedGroups<Item, Result> {
  /** In the order of their age. */
  let waiting: QueuedItem<Item, Result>[] = []
  let workers = 0

  function insert(added: QueuedItem<Item, Result>): void {
    const place = waiting.findLastIndex(({ since }) => since <= added.since) + 1
    waiting.splice(place, 0, added)
  }

  async function runGroup(group: readonly QueuedItem<Item, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item))
      const again = group.filter((each, index) => {
        const result = results[index]
        if (result !== undefined) each.resolve(result)
        return result === undefined
      })
      // They were ahead of all others that have the same age.
      waiting = [...again, ...waiting].toSorted((one, other) => one.since - other.since)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function work(): Promise<void> {
    // Requests of the same turn of the event loop share a group.
    await new Promise(setImmediate)
    while (waiting.length > 0) await runGroup(waiting.splice(0, limits.group))
    workers -= 1
  }

  return {
    add: (item, since) =>
      new Promise((resolve, reject) => {
        insert({ item, since, resolve, reject })
        if (workers >= limits.concurrent) return
        workers += 1
        void work()
      }),
  }
}
