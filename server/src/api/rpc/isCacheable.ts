import { getField } from '../../kit/runtime/getField.ts'
import { parseRpcQuantity, type RpcRequest } from './rpcPolicy.ts'

/** Blocks with this many confirmations count as final on every chain. */
const finalDepth = 128n
/** A head this far below a known one means that the chain was reset, or that the node lags far behind. */
const resetDepth = 16n

/** Methods that name a block by its hash. */
const methodsByBlockHash: readonly string[] = [
  'eth_getBlockByHash',
  'eth_getBlockTransactionCountByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getUncleCountByBlockHash',
]
/** Position of the block parameter. */
const blockParameterIndex: ReadonlyMap<string, number> = new Map([
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
/** Methods whose results contain their block. */
const methodsReportingBlock: readonly string[] = ['eth_getTransactionByHash', 'eth_getTransactionReceipt']

/** True if the result of a request may be immutable. Only such requests are looked up in the cache. */
export function isCacheable({ method, params }: RpcRequest): boolean {
  const list = Array.isArray(params) ? params : []
  if (methodsByBlockHash.includes(method) || methodsReportingBlock.includes(method)) return true
  if (method === 'eth_getLogs')
    return typeof getField(list[0], 'blockHash') === 'string' || getRangeEnd(list) !== undefined
  const at = blockParameterIndex.get(method)
  return at !== undefined && parseRpcQuantity(list[at]) !== undefined
}

/**
 * True if a result never changes: it is about a block named by its hash, or about a final block.
 *
 * @param head the newest known block of the chain
 */
export function isImmutableResult(request: RpcRequest, result: unknown, head: bigint | undefined): boolean {
  const { method, params } = request
  // A missing value may appear later.
  if (result === null || result === undefined || !isCacheable(request)) return false
  const list = Array.isArray(params) ? params : []
  if (methodsByBlockHash.includes(method)) return true
  if (method === 'eth_getLogs') {
    const end = getRangeEnd(list)
    return end === undefined || isFinal(end, head)
  }
  const about = methodsReportingBlock.includes(method)
    ? getField(result, 'blockNumber')
    : list[blockParameterIndex.get(method) ?? 0]
  return isFinal(parseRpcQuantity(about), head)
}

function getRangeEnd([filter]: readonly unknown[]): bigint | undefined {
  if ((getField(filter, 'blockHash') ?? undefined) !== undefined) return undefined
  const [from, to] = [parseRpcQuantity(getField(filter, 'fromBlock')), parseRpcQuantity(getField(filter, 'toBlock'))]
  return from === undefined || to === undefined ? undefined : from > to ? from : to
}

function isFinal(block: bigint | undefined, head: bigint | undefined): boolean {
  return block !== undefined && head !== undefined && head - block >= finalDepth
}

/** Finds the head of the chain that a result reports. */
export function findReportedHead({ method, params }: RpcRequest, result: unknown): bigint | undefined {
  if (method === 'eth_blockNumber') return parseRpcQuantity(result)
  const [block] = Array.isArray(params) ? params : []
  return method === 'eth_getBlockByNumber' && block === 'latest'
    ? parseRpcQuantity(getField(result, 'number'))
    : undefined
}

/** True if the head moved back so far that final blocks were replaced. */
export function isReset(from: bigint, to: bigint): boolean {
  return from - to > resetDepth
}
