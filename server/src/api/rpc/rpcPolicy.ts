import { getField } from '../../kit/runtime/getField.ts'
import { classifyMethod, type Namespace } from '@latchkey/protocol'

/** A JSON-RPC request whose envelope was checked. */
export type RpcRequest = { id: number | string | null; jsonrpc: '2.0'; method: string; params?: unknown }

/** A JSON-RPC error. */
export type RpcError = { code: number; message: string }

/** Network methods that libraries call. */
const networkFacts: readonly string[] = ['net_version', 'net_listening', 'web3_clientVersion']

/** The methods of Solana that apps read with, and the one that sends signed transactions. */
const solana: readonly string[] = [
  'getAccountInfo',
  'getBalance',
  'getBlock',
  'getBlockHeight',
  'getBlockTime',
  'getEpochInfo',
  'getFeeForMessage',
  'getGenesisHash',
  'getHealth',
  'getLatestBlockhash',
  'getMinimumBalanceForRentExemption',
  'getMultipleAccounts',
  'getRecentPrioritizationFees',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getSlot',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
  'getTokenSupply',
  'getTransaction',
  'getVersion',
  'isBlockhashValid',
  'sendTransaction',
  'simulateTransaction',
]

/** Methods of chains without JSON-RPC of their own. The operator's endpoint implements them. */
const otherMethods: readonly string[] = ['getAddressBalance']

const maxBlocks = 10_000n
const maxGas = 50_000_000n
/** Wallets simulate a block of calls on the current state before they sign. */
const simulationMethod = 'eth_simulateV1'
const maxCalls = 32
/** Methods that take a range of blocks. */
const aboutLogs: readonly string[] = ['eth_getLogs', 'eth_newFilter']
const blockTags: readonly unknown[] = ['earliest', 'latest', 'pending', 'safe', 'finalized']

/**
 * Checks whether a request may be forwarded to a node.
 *
 * @returns the error of a request that is not allowed
 */
export function checkRpcPolicy(namespace: Namespace | string, { method, params }: RpcRequest): RpcError | undefined {
  if (!isMethodAllowed(namespace, method)) {
    return { code: -32601, message: `The method ${method.slice(0, 64)} is not available here.` }
  }
  if (namespace !== 'eip155') return undefined
  // Some nodes accept named parameters, which would bypass the checks below.
  if (params !== undefined && !Array.isArray(params)) return invalidParamsError('they must be a list')
  const [first, , ...overrides] = Array.isArray(params) ? params : []
  if (method === 'eth_call' || method === 'eth_estimateGas') {
    if (overrides.some((each) => each !== null)) return invalidParamsError('state overrides are not available here')
    const gas = parseGas(first)
    if (gas === undefined || gas > maxGas) return gasError
  }
  if (aboutLogs.includes(method)) return checkLogFilter(first)
  return method === simulationMethod ? checkSimulation(first) : undefined
}

/** Parses the gas of a call, 0 without one. Some nodes accept numbers and decimal digits, which would not be limited. */
function parseGas(call: unknown): bigint | undefined {
  const gas = getField(call, 'gas') ?? undefined
  return gas === undefined ? 0n : parseRpcQuantity(gas)
}

/** Allows only the standard form of blocks, because nodes interpret other forms differently, even as all blocks. */
function checkLogFilter(filter: unknown): RpcError | undefined {
  const [hash, ...ends] = ['blockHash', 'fromBlock', 'toBlock'].map((key) => getField(filter, key) ?? undefined)
  if (hash !== undefined && !(typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)))
    return invalidParamsError('blockHash is not a hash')
  const isBlock = (end: unknown): boolean =>
    end === undefined || blockTags.includes(end) || parseRpcQuantity(end) !== undefined
  return ends.every(isBlock) ? undefined : invalidParamsError('a block is a hex quantity or a tag')
}

/** The node executes the simulation, so its size is limited and state overrides are not allowed. */
function checkSimulation(simulation: unknown): RpcError | undefined {
  const blocks = getField(simulation, 'blockStateCalls')
  const [block, ...others]: readonly unknown[] = Array.isArray(blocks) ? blocks : []
  const calls = getField(block, 'calls')
  if (others.length > 0 || !Array.isArray(calls))
    return invalidParamsError('exactly one block of calls can be simulated')
  if (calls.length > maxCalls) return invalidParamsError(`at most ${maxCalls} calls are simulated`)
  const overrides = [getField(block, 'stateOverrides'), getField(block, 'blockOverrides')]
  if (overrides.some((each) => each !== undefined && each !== null))
    return invalidParamsError('overrides are not available here')
  const gas = calls.reduce((sum: bigint, call) => sum + (parseGas(call) ?? maxGas + 1n), 0n)
  return gas > maxGas ? gasError : undefined
}

/** The range of blocks of a request for logs. Tags and missing ends are undefined. */
export type LogRange = { from: bigint | undefined; to: bigint | undefined }

/** Gets the range of a request for logs, or `undefined` if it names a single block or none. */
export function getLogRange({ method, params }: RpcRequest): LogRange | undefined {
  const [filter] = Array.isArray(params) ? params : []
  // Nodes ignore a block hash that is null.
  if (!aboutLogs.includes(method) || (getField(filter, 'blockHash') ?? undefined) !== undefined) return undefined
  const [from, to] = ['fromBlock', 'toBlock'].map((key) => {
    const block = getField(filter, key)
    return block === 'earliest' ? 0n : parseRpcQuantity(block)
  })
  return from === undefined && to === undefined ? undefined : { from, to }
}

/**
 * Checks the size of a range.
 *
 * @param head the block that a missing end stands for
 */
export function checkLogRange({ from, to }: LogRange, head: bigint): RpcError | undefined {
  return (to ?? head) - (from ?? head) > maxBlocks
    ? invalidParamsError(`a range has at most ${maxBlocks} blocks`)
    : undefined
}

/** Methods that use accounts are never allowed, because a node may hold keys. */
function isMethodAllowed(namespace: string, method: string): boolean {
  if (namespace === 'solana') return solana.includes(method)
  if (namespace !== 'eip155') return otherMethods.includes(method)
  if (method === 'eth_accounts' || method.startsWith('wallet_')) return false
  return classifyMethod(method) === 'safe' || networkFacts.includes(method) || method === simulationMethod
}

function invalidParamsError(reason: string): RpcError {
  return { code: -32602, message: `Invalid params: ${reason}.` }
}

const gasError = invalidParamsError(`gas is a hex quantity of at most ${maxGas}`)

/** Parses a hex quantity of Ethereum JSON-RPC. */
export function parseRpcQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}
