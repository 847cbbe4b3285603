import { classifyMethod } from '@latchkey/protocol'

/** A JSON-RPC request, as far as it was looked at. */
export type RpcRequest = { id: number | string | null; jsonrpc: '2.0'; method: string; params?: unknown }

/** Why a request is not passed on: a JSON-RPC error. */
export type Refusal = { code: number; message: string }

/** Facts of the network that libraries ask for besides what a visitor's wallet may do. */
const networkFacts: readonly string[] = ['net_version', 'net_listening', 'web3_clientVersion']

const mostBlocks = 10_000n
const mostGas = 50_000_000n

/** Whether a request may go to a node, and what is wrong with it otherwise. */
export function refuse({ method, params }: RpcRequest): Refusal | undefined {
  if (!isAllowed(method)) return { code: -32601, message: `The method ${method.slice(0, 64)} is not available here.` }
  const [first, , overrides] = Array.isArray(params) ? params : []
  if (method === 'eth_call' || method === 'eth_estimateGas') {
    if (overrides !== undefined && overrides !== null) return invalid('state overrides are not available here')
    if ((quantity(read(first, 'gas')) ?? 0n) > mostGas) return invalid(`gas is at most ${mostGas}`)
  }
  if (method === 'eth_getLogs') {
    const [from, to] = [quantity(read(first, 'fromBlock')), quantity(read(first, 'toBlock'))]
    if (from !== undefined && to !== undefined && to - from > mostBlocks) {
      return invalid(`a range has at most ${mostBlocks} blocks`)
    }
  }
  return undefined
}

/** Accounts are a wallet's business: a node that has any must not lend them out. */
function isAllowed(method: string): boolean {
  if (method === 'eth_accounts' || method.startsWith('wallet_')) return false
  return classifyMethod(method) === 'safe' || networkFacts.includes(method)
}

function invalid(reason: string): Refusal {
  return { code: -32602, message: `Invalid params: ${reason}.` }
}

function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
