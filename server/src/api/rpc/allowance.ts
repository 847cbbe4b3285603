import { classifyMethod, type Namespace } from '@latchkey/protocol'

/** A JSON-RPC request, as far as it was looked at. */
export type RpcRequest = { id: number | string | null; jsonrpc: '2.0'; method: string; params?: unknown }

/** Why a request is not passed on: a JSON-RPC error. */
export type Refusal = { code: number; message: string }

/** Facts of the network that libraries ask for besides what a visitor's wallet may do. */
const networkFacts: readonly string[] = ['net_version', 'net_listening', 'web3_clientVersion']

/** What pages read of Solana, and the one way to send what a wallet has signed. */
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

/** What is asked of chains that have no JSON-RPC of their own: the operator's endpoint knows how to answer it. */
const others: readonly string[] = ['getAddressBalance']

const mostBlocks = 10_000n
const mostGas = 50_000_000n
/** What a wallet asks before it signs: what calls would do, one block of them, on the chain as it is. */
const simulation = 'eth_simulateV1'
const mostCalls = 32
/** Questions about logs, which name a range of blocks. */
const aboutLogs: readonly string[] = ['eth_getLogs', 'eth_newFilter']

/** Whether a request may go to a node of a chain family, and what is wrong with it otherwise. */
export function refuse(namespace: Namespace | string, { method, params }: RpcRequest): Refusal | undefined {
  if (!isAllowed(namespace, method)) {
    return { code: -32601, message: `The method ${method.slice(0, 64)} is not available here.` }
  }
  if (namespace !== 'eip155') return undefined
  // Some nodes take parameters by name, which would go past what is looked at here.
  if (params !== undefined && !Array.isArray(params)) return invalid('they are a list')
  const [first, , ...overrides] = Array.isArray(params) ? params : []
  if (method === 'eth_call' || method === 'eth_estimateGas') {
    if (overrides.some((each) => each !== null)) return invalid('state overrides are not available here')
    if ((quantity(read(first, 'gas')) ?? 0n) > mostGas) return invalid(`gas is at most ${mostGas}`)
  }
  return method === simulation ? refuseSimulation(first) : undefined
}

/** A node runs all of it: so it is short, and nothing of the chain is pretended to be otherwise. */
function refuseSimulation(asked: unknown): Refusal | undefined {
  const blocks = read(asked, 'blockStateCalls')
  const [block, ...others]: readonly unknown[] = Array.isArray(blocks) ? blocks : []
  const calls = read(block, 'calls')
  if (others.length > 0 || !Array.isArray(calls)) return invalid('one block of calls is simulated')
  if (calls.length > mostCalls) return invalid(`at most ${mostCalls} calls are simulated`)
  const overrides = [read(block, 'stateOverrides'), read(block, 'blockOverrides')]
  if (overrides.some((each) => each !== undefined && each !== null)) return invalid('overrides are not available here')
  const gas = calls.reduce((sum: bigint, call) => sum + (quantity(read(call, 'gas')) ?? 0n), 0n)
  return gas > mostGas ? invalid(`gas is at most ${mostGas}`) : undefined
}

/** The ends of the range that a question about logs names; tags and what is left out are undefined. */
export type LogRange = { from: bigint | undefined; to: bigint | undefined }

/** The range of blocks whose logs are asked for; undefined when no range is, or only one block. */
export function logRange({ method, params }: RpcRequest): LogRange | undefined {
  const [filter] = Array.isArray(params) ? params : []
  if (!aboutLogs.includes(method) || read(filter, 'blockHash') !== undefined) return undefined
  const [from, to] = ['fromBlock', 'toBlock'].map((key) => {
    const told = read(filter, key)
    return told === 'earliest' ? 0n : quantity(told)
  })
  return from === undefined && to === undefined ? undefined : { from, to }
}

/** @param head where a tag leads, as far as it matters here */
export function refuseRange({ from, to }: LogRange, head: bigint): Refusal | undefined {
  return (to ?? head) - (from ?? head) > mostBlocks ? invalid(`a range has at most ${mostBlocks} blocks`) : undefined
}

/** Accounts are a wallet's business: a node that has any must not lend them out. */
function isAllowed(namespace: string, method: string): boolean {
  if (namespace === 'solana') return solana.includes(method)
  if (namespace !== 'eip155') return others.includes(method)
  if (method === 'eth_accounts' || method.startsWith('wallet_')) return false
  return classifyMethod(method) === 'safe' || networkFacts.includes(method) || method === simulation
}

function invalid(reason: string): Refusal {
  return { code: -32602, message: `Invalid params: ${reason}.` }
}

/** Reads a number as JSON-RPC of Ethereum writes it. */
export function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}

/** A member of an object; undefined of anything else. */
export function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
