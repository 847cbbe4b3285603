import { isRecord, type Network } from '@latchkey/protocol'
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
import { type KnownToken } from '../../walletConfig.ts'
import { rpcErrors } from '../../rpcError.ts'
import type { TokenReference, TransactionAction } from '../transactionSummary.ts'

/** A parsed `eth_sendTransaction` request. The network supplies the missing fields. */
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
 * Parses the parameters of `eth_sendTransaction`.
 *
 * @throws RpcError -32602 if the parameters are invalid
 */
export function parseTransactionRequest(params: unknown): TransactionRequest {
  const [fields]: unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(fields)) throw rpcErrors.invalid('transaction is missing')
  const { from, to, data, input } = fields
  const code = data ?? input ?? '0x'
  if (!isAccount(from)) throw rpcErrors.invalid('from is not an account')
  if (to !== undefined && to !== null && !isAccount(to)) throw rpcErrors.invalid('to is not an account')
  if (!isHex(code, { strict: true }) || code.length % 2 === 1) throw rpcErrors.invalid('data is not hexadecimal')
  if (to === undefined && code === '0x') throw rpcErrors.invalid('to and data are missing')
  return {
    from,
    to: to ?? undefined,
    data: code,
    value: parseOptionalQuantity(fields, 'value') ?? 0n,
    gas: parseOptionalQuantity(fields, 'gas') ?? parseOptionalQuantity(fields, 'gasLimit'),
    nonce: fields['nonce'] === undefined ? undefined : hexToNumber(assertQuantity(fields['nonce'], 'nonce')),
    gasPrice: parseOptionalQuantity(fields, 'gasPrice'),
    maxFeePerGas: parseOptionalQuantity(fields, 'maxFeePerGas'),
    maxPriorityFeePerGas: parseOptionalQuantity(fields, 'maxPriorityFeePerGas'),
  }
}

/** Decodes the effect of a transaction from its data. */
export function describeTransaction(
  { to, data }: Pick<TransactionRequest, 'to' | 'data'>,
  network: Network,
  tokens: readonly KnownToken[],
): TransactionAction {
  if (to === undefined) return { kind: 'create' }
  if (data === '0x') return { kind: 'send', to }
  const token = findToken(to, network, tokens)
  return describeTokenCall(token, data) ?? describeItemCall(to, data) ?? toCall(to, data)
}

function toCall(to: Address, data: Hex): TransactionAction {
  return { kind: 'call', to, selector: slice(data, 0, Math.min(4, size(data))) }
}

/** Decodes ERC-20 calls. An unknown contract could also be an NFT collection, whose transfers look the same. */
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
      // Apps encode "no limit" in several ways. No token has a supply of half of all numbers.
      return { kind: 'tokenApproval', token, spender, amount: amount > maxUint256 / 2n ? 'unlimited' : amount }
    }
    default:
      return undefined
  }
}

/** Decodes the ERC-721 and ERC-1155 calls that transfer an item or approve an operator for all items. */
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

function findToken(address: Address, network: Network, tokens: readonly KnownToken[]): TokenReference {
  const known = tokens.find(
    (token) => token.caipNetworkId === network.caipNetworkId && token.address.toLowerCase() === address.toLowerCase(),
  )
  return { address, known: known && { symbol: known.symbol, decimals: known.decimals } }
}

function parseOptionalQuantity(fields: Record<string, unknown>, name: string): bigint | undefined {
  const value = fields[name]
  return value === undefined || value === null ? undefined : hexToBigInt(assertQuantity(value, name))
}

function assertQuantity(value: unknown, name: string): Hex {
  if (!isHex(value, { strict: true }) || value === '0x') throw rpcErrors.invalid(`${name} is not a quantity`)
  return value
}

function isAccount(value: unknown): value is Address {
  return typeof value === 'string' && isAddress(value, { strict: false })
}
