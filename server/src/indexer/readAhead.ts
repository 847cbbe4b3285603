import type { Block } from './block.ts'
import type { BlockFetcher } from './createBlockFetcher.ts'

/** Downloads the blocks of a range in order, while earlier ones are processed. */
export type ReadAhead = {
  /**
   * Gets the next blocks.
   *
   * @param from the first block; a jump discards what was downloaded
   * @throws what the download throws; the next call tries again
   */
  next(from: number): Promise<readonly Block[]>
  /** Discards what was downloaded, because the next requests ask for something else. */
  discard(): void
}

type Download = { from: number; count: number; blocks: Promise<readonly Block[]> }

/**
 * Creates the download of the blocks up to `last`.
 *
 * @param depth the most requests at a time, which hides the latency of a node
 */
export function createReadAhead(fetcher: BlockFetcher, last: number, depth = 3): ReadAhead {
  let downloads: readonly Download[] = []

  function start(from: number, count: number): Download {
    const blocks = fetcher.fetch(from, count)
    // The download may be discarded.
    blocks.catch(() => undefined)
    return { from, count, blocks }
  }

  function fill(from: number): void {
    let next = (downloads.at(-1)?.from ?? from) + (downloads.at(-1)?.count ?? 0)
    while (downloads.length < depth && next <= last) {
      const count = Math.min(fetcher.size(), last - next + 1)
      downloads = [...downloads, start(next, count)]
      next += count
    }
  }

  return {
    async next(from) {
      if (downloads[0]?.from !== from) downloads = []
      fill(from)
      const [first, ...others] = downloads
      if (first === undefined) return []
      downloads = []
      const blocks = await first.blocks
      const rest = first.count - blocks.length
      downloads = rest === 0 ? others : [start(from + blocks.length, rest), ...others]
      fill(from + blocks.length)
      return blocks
    },
    discard: () => void (downloads = []),
  }
}
