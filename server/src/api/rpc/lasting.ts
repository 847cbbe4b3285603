import { quantity, read, type RpcRequest } from './allowance.ts'

/** Blocks that lie so deep are taken for final on every chain. */
const depth = 128n
/** A head that lies so far below one that was seen is of a chain that began anew, or of a node that is far behind. */
const fall = 16n

/** A block that is named by its hash is what it is. */
const byHash: readonly string[] = [
  'eth_getBlockByHash',
  'eth_getBlockTransactionCountByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getUncleCountByBlockHash',
]
/** Where in the parameters the block stands that an answer is about. */
const blockAt: ReadonlyMap<string, number> = new Map([
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockReceipts', 0],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getUncleCountByBlockNumber', 0],
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getTransactionCount', 1],
  ['eth_call', 1],
  ['eth_getStorageAt', 2],
  ['eth_getProof', 2],
])
/** Answers that say of which block they are. */
const sayTheirBlock: readonly string[] = ['eth_getTransactionByHash', 'eth_getTransactionReceipt']

/** Whether the answer to a question may be one that never changes: only then it is worth looking for a kept one. */
export function mayLast({ method, params }: RpcRequest): boolean {
  const list = Array.isArray(params) ? params : []
  if (byHash.includes(method) || sayTheirBlock.includes(method)) return true
  if (method === 'eth_getLogs') return typeof read(list[0], 'blockHash') === 'string' || rangeEnd(list) !== undefined
  const at = blockAt.get(method)
  return at !== undefined && quantity(list[at]) !== undefined
}

/**
 * Whether an answer never changes: it is about a block that is named by its hash, or about one that lies deep.
 *
 * @param head the newest block that the chain is known to have
 */
export function lasts(request: RpcRequest, result: unknown, head: bigint | undefined): boolean {
  const { method, params } = request
  // What is not there now may come.
  if (result === null || result === undefined || !mayLast(request)) return false
  const list = Array.isArray(params) ? params : []
  if (byHash.includes(method)) return true
  if (method === 'eth_getLogs') {
    const end = rangeEnd(list)
    return end === undefined || isDeep(end, head)
  }
  const about = sayTheirBlock.includes(method) ? read(result, 'blockNumber') : list[blockAt.get(method) ?? 0]
  return isDeep(quantity(about), head)
}

function rangeEnd([filter]: readonly unknown[]): bigint | undefined {
  if (read(filter, 'blockHash') !== undefined) return undefined
  const [from, to] = [quantity(read(filter, 'fromBlock')), quantity(read(filter, 'toBlock'))]
  return from === undefined || to === undefined ? undefined : from > to ? from : to
}

function isDeep(block: bigint | undefined, head: bigint | undefined): boolean {
  return block !== undefined && head !== undefined && head - block >= depth
}

/** The head that an answer tells of, if it does. */
export function headOf({ method, params }: RpcRequest, result: unknown): bigint | undefined {
  if (method === 'eth_blockNumber') return quantity(result)
  const [block] = Array.isArray(params) ? params : []
  return method === 'eth_getBlockByNumber' && block === 'latest' ? quantity(read(result, 'number')) : undefined
}

/** Whether a chain that was at one head cannot be the same any more at another: what was deep is not there. */
export function wentBack(from: bigint, to: bigint): boolean {
  return from - to > fall
}
