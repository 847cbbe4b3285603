/** Work on many items in slices, between which the event loop does everything else. */
export type SlicedWork<Item> = {
  /** Adds an item, which is worked on in one of the next turns of the event loop, in the order of the items. */
  add(item: Item): void
  /** Works on all items now. */
  finish(): void
}

/**
 * Creates the work on an item that may come thousands at a time, such as the end of a connection.
 *
 * @param work does not throw
 * @param perTurn the most items of one turn
 * @example const ended = createSlicedWork((socket: RelaySocket) => socket.end(), 100)
 */
export function createSlicedWork<Item>(work: (item: Item) => void, perTurn: number): SlicedWork<Item> {
  let items: Item[] = []
  let next = 0

  function run(most: number): void {
    const end = Math.min(items.length, next + most)
    while (next < end) {
      const item = items[next] as Item
      next += 1
      work(item)
    }
    if (next < items.length) return
    items = []
    next = 0
  }

  function runSlice(): void {
    run(perTurn)
    if (items.length > 0) setImmediate(runSlice)
  }

  return {
    add(item) {
      if (items.length === 0) setImmediate(runSlice)
      items.push(item)
    },
    finish: () => run(Infinity),
  }
}
