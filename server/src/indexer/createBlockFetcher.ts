import { ChainRequestError, type ChainRequest, type ChainRpc } from '../kit/chain/chainRpc.ts'
import type { Block } from './block.ts'
import { InvalidBlockError, parseBlock } from './parseBlock.ts'

/** Downloads blocks in requests whose size follows the size of the blocks and the limits of the endpoints. */
export type BlockFetcher = {
  /** The number of blocks that the next request should contain. */
  size(): number
  /**
   * Downloads blocks that follow each other.
   *
   * @returns the blocks from `from` on: at least one, at most `count`
   * @throws InvalidBlockError if the node returns other blocks
   */
  fetch(from: number, count: number): Promise<readonly Block[]>
}

/** Blocks from `from` on, at least one, and the bytes of the responses. */
export type RequestedBlocks = { blocks: readonly Block[]; bytes: number }

/** Requests `count` blocks. An endpoint at its limit may return only the first of them. */
export type RequestBlocks = (from: number, count: number) => Promise<RequestedBlocks>

/** Responses stay well below the 10 MiB that a client accepts, so that growing blocks don't exceed it. */
const bytesPerResponse = 4 * 1024 * 1024
/** A single block is accepted up to this size. */
const maxBytesPerBlock = 128 * 1024 * 1024
const requestsPerBlock = 2
/** Number of requests after which the fetcher tries one block more than an endpoint refused before. */
const requestsUntilRetry = 32

export type BlockFetcherOptions = { request: RequestBlocks; maxBlocks?: number }

/** Creates a fetcher. It starts with one block, and doubles the number while responses stay small. */
export function createBlockFetcher({ request, maxBlocks = 40 }: BlockFetcherOptions): BlockFetcher {
  let size = 1
  let limit = maxBlocks
  let succeeded = 0

  function adjustAfter(blocks: number, wanted: number, bytes: number): void {
    succeeded += 1
    if (blocks < wanted) limit = blocks
    else if (succeeded % requestsUntilRetry === 0) limit = Math.min(maxBlocks, limit + 1)
    const affordable = Math.max(1, Math.floor((bytesPerResponse * blocks) / Math.max(1, bytes)))
    size = Math.min(limit, affordable, 2 * Math.max(size, blocks))
  }

  async function fetch(from: number, count: number): Promise<readonly Block[]> {
    try {
      const { blocks, bytes } = await request(from, count)
      adjustAfter(blocks.length, count, bytes)
      return blocks
    } catch (error) {
      // Another size of the request does not change what a node claims about its blocks.
      if (count === 1 || error instanceof InvalidBlockError) throw error
      const half = Math.floor(count / 2)
      limit = Math.min(limit, half)
      size = Math.min(size, limit)
      return fetch(from, half)
    }
  }

  return { size: () => size, fetch }
}

/** Creates the requests for blocks with all transactions and receipts. An endpoint at its limit may return only the first of them. */
export function requestWholeBlocks(rpc: ChainRpc): RequestBlocks {
  return async (from, count) => {
    const numbers = Array.from({ length: count }, (_, index) => from + index)
    let bytes = 0
    const results = await rpc.settle(numbers.flatMap(toRequests), {
      ...(count === 1 ? { maxBytes: maxBytesPerBlock } : {}),
      stopsWhenTooLarge: true,
      acceptsPart: true,
      onBytes: (received) => (bytes += received),
    })
    const failed = results.findIndex((result) => result instanceof ChainRequestError)
    const complete = failed === -1 ? count : Math.floor(failed / requestsPerBlock)
    if (complete === 0) throw results[failed]
    const blocks = numbers
      .slice(0, complete)
      .map((number, index) => parseBlock(number, results[2 * index], results[2 * index + 1]))
    return { blocks, bytes }
  }
}

function toRequests(number: number): readonly ChainRequest[] {
  const quantity = `0x${number.toString(16)}`
  return [
    ['eth_getBlockByNumber', [quantity, true]],
    ['eth_getBlockReceipts', [quantity]],
  ]
}
