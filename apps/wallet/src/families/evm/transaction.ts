import type { Network } from '@latchkey/protocol'
import {
  decodeFunctionData,
  erc20Abi,
  erc721Abi,
  hexToBigInt,
  hexToNumber,
  isAddress,
  isHex,
  maxUint256,
  size,
  slice,
  type Address,
  type Hex,
} from 'viem'
import { isRecord, type KnownToken } from '../../config.ts'
import { refusals } from '../../rpcError.ts'
import type { TokenReference, TransactionAction } from '../question.ts'

/** An `eth_sendTransaction` request, read. What is missing is left to the network. */
export type TransactionRequest = {
  from: Address
  to: Address | undefined
  value: bigint
  data: Hex
  gas: bigint | undefined
  nonce: number | undefined
  gasPrice: bigint | undefined
  maxFeePerGas: bigint | undefined
  maxPriorityFeePerGas: bigint | undefined
}

/**
 * Reads the parameters of `eth_sendTransaction`.
 *
 * @throws RpcError -32602.
 */
export function readTransaction(params: unknown): TransactionRequest {
  const [fields]: unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(fields)) throw refusals.invalid('no transaction')
  const { from, to, data, input } = fields
  const code = data ?? input ?? '0x'
  if (!isAccount(from)) throw refusals.invalid('from is no account')
  if (to !== undefined && to !== null && !isAccount(to)) throw refusals.invalid('to is no account')
  if (!isHex(code, { strict: true }) || code.length % 2 === 1) throw refusals.invalid('data is not hexadecimal')
  if (to === undefined && code === '0x') throw refusals.invalid('it goes nowhere and does nothing')
  return {
    from,
    to: to ?? undefined,
    data: code,
    value: readQuantity(fields, 'value') ?? 0n,
    gas: readQuantity(fields, 'gas') ?? readQuantity(fields, 'gasLimit'),
    nonce: fields['nonce'] === undefined ? undefined : hexToNumber(readHex(fields['nonce'], 'nonce')),
    gasPrice: readQuantity(fields, 'gasPrice'),
    maxFeePerGas: readQuantity(fields, 'maxFeePerGas'),
    maxPriorityFeePerGas: readQuantity(fields, 'maxPriorityFeePerGas'),
  }
}

/** Tells what a transaction does, as far as its data tells. */
export function describeTransaction(
  { to, data }: Pick<TransactionRequest, 'to' | 'data'>,
  network: Network,
  tokens: readonly KnownToken[],
): TransactionAction {
  if (to === undefined) return { kind: 'create' }
  if (data === '0x') return { kind: 'send', to }
  const token = tokenAt(to, network, tokens)
  return describeTokenCall(token, data) ?? describeItemCall(to, data) ?? callOf(to, data)
}

function callOf(to: Address, data: Hex): TransactionAction {
  return { kind: 'call', to, selector: slice(data, 0, Math.min(4, size(data))) }
}

/** The calls of ERC-20. A contract that no list knows could be a collection, whose transfers look the same. */
function describeTokenCall(token: TokenReference, data: Hex): TransactionAction | undefined {
  const call = decode(erc20Abi, data)
  switch (call?.functionName) {
    case 'transfer':
      return { kind: 'tokenTransfer', token, from: undefined, to: call.args[0], amount: call.args[1] }
    case 'transferFrom':
      if (token.known === undefined) return undefined
      return { kind: 'tokenTransfer', token, from: call.args[0], to: call.args[1], amount: call.args[2] }
    case 'approve': {
      const [spender, amount] = call.args
      // Apps ask for "no limit" in more than one way; no token has half of all numbers.
      return { kind: 'tokenApproval', token, spender, amount: amount > maxUint256 / 2n ? 'unlimited' : amount }
    }
    default:
      return undefined
  }
}

/** The calls of ERC-721 and ERC-1155 that move an item or let somebody move all of them. */
function describeItemCall(collection: Address, data: Hex): TransactionAction | undefined {
  const call = decode(erc721Abi, data)
  switch (call?.functionName) {
    case 'transferFrom':
    case 'safeTransferFrom':
      return { kind: 'itemTransfer', collection, from: call.args[0], to: call.args[1], id: call.args[2] }
    case 'setApprovalForAll':
      return { kind: 'collectionApproval', collection, operator: call.args[0], isGranted: call.args[1] }
    default:
      return undefined
  }
}

function decode<const abi extends typeof erc20Abi | typeof erc721Abi>(abi: abi, data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined
  }
}

function tokenAt(address: Address, network: Network, tokens: readonly KnownToken[]): TokenReference {
  const known = tokens.find(
    (token) => token.caipNetworkId === network.caipNetworkId && token.address.toLowerCase() === address.toLowerCase(),
  )
  return { address, known: known && { symbol: known.symbol, decimals: known.decimals } }
}

function readQuantity(fields: Record<string, unknown>, name: string): bigint | undefined {
  const value = fields[name]
  return value === undefined || value === null ? undefined : hexToBigInt(readHex(value, name))
}

function readHex(value: unknown, name: string): Hex {
  if (!isHex(value, { strict: true }) || value === '0x') throw refusals.invalid(`${name} is no quantity`)
  return value
}

function isAccount(value: unknown): value is Address {
  return typeof value === 'string' && isAddress(value, { strict: false })
}
