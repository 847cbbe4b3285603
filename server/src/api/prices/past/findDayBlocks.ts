import type { ChainRpc, ChainRequest } from '../../../kit/chain/chainRpc.ts'
import { getField } from '../../../kit/runtime/getField.ts'
import { getDaySpan, type UtcDay } from './pastPriceSource.ts'

/** A block by its number, and its time in milliseconds. */
export type BlockTime = { block: number; time: number }

/** The block before the end of a day is from `low` on, and below `high`. */
type Search = { day: UtcDay; end: number; low: BlockTime; high: BlockTime }

/** A chain with a trillion blocks needs 40 steps if every second one halves the range. */
const maxSteps = 96

/**
 * Finds the last block of each day. The days are searched together, with one batch per step. Days that have not ended,
 * and days before the chain began, are left out.
 *
 * @throws ChainRequestError or NoEndpointError if the node does not return the blocks
 */
export async function findDayBlocks(rpc: ChainRpc, days: readonly UtcDay[]): Promise<ReadonlyMap<UtcDay, BlockTime>> {
  const [first, head] = await getBlockTimes(rpc, ['0x0', 'latest'])
  const found = new Map<UtcDay, BlockTime>()
  if (first === undefined || head === undefined) return found
  let searches = days.flatMap((day): Search[] => {
    const { end } = getDaySpan(day)
    return first.time < end && head.time >= end ? [{ day, end, low: first, high: head }] : []
  })
  for (let step = 0; step < maxSteps; step += 1) {
    for (const { day, low } of searches.filter(isDone)) found.set(day, low)
    const open = searches.filter((search) => !isDone(search))
    if (open.length === 0) break
    const numbers = open.map((search) => getNextBlock(search, step % 2 === 0))
    const blocks = await getBlockTimes(
      rpc,
      numbers.map((number) => `0x${number.toString(16)}`),
    )
    searches = open.flatMap((search, index) => narrowSearch(search, blocks[index]) ?? [])
  }
  return found
}

function isDone({ low, high }: Search): boolean {
  return high.block - low.block <= 1
}

/** Guesses from the time, or halves the range. Guesses alone are slow on a chain that paused. */
function getNextBlock({ end, low, high }: Search, guesses: boolean): number {
  const share = guesses ? (end - low.time) / Math.max(1, high.time - low.time) : 0.5
  const next = low.block + Math.floor((high.block - low.block) * share)
  return Math.min(Math.max(next, low.block + 1), high.block - 1)
}

/** Returns undefined if the node does not have the block. */
function narrowSearch(search: Search, block: BlockTime | undefined): Search | undefined {
  if (block === undefined || block.block <= search.low.block || block.block >= search.high.block) return undefined
  return block.time < search.end ? { ...search, low: block } : { ...search, high: block }
}

async function getBlockTimes(rpc: ChainRpc, tags: readonly string[]): Promise<readonly (BlockTime | undefined)[]> {
  const requests = tags.map((tag): ChainRequest => ['eth_getBlockByNumber', [tag, false]])
  return (await rpc.batch(requests)).map((block) => {
    const [number, seconds] = [getField(block, 'number'), getField(block, 'timestamp')].map(parseBlockQuantity)
    return number === undefined || seconds === undefined ? undefined : { block: number, time: seconds * 1_000 }
  })
}

function parseBlockQuantity(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined
}
