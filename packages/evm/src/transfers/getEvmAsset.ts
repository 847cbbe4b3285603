import type { Asset } from '@latchkey/core/money'
import { type Network, inputError, type LatchkeyError } from '@latchkey/protocol'
import {
  decodeFunctionResult,
  encodeFunctionData,
  hexToString,
  isHex,
  size,
  type Address,
  type Client,
  type Hex,
} from 'viem'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { getEvmClient, wrapUnreachable, findLatchkeyError, type EvmClients } from '../chain/evmClients.ts'
import { toOneLine } from '../chain/revertReason.ts'
import { erc20Abi } from './erc20Abi.ts'

const mostDecimals = 77
const longestTexts = { symbol: 24, name: 64 } as const

/**
 * Reads the symbol, name and decimals of a token. A contract can return any string, so strings are cut to one short line.
 *
 * @throws LatchkeyError `rpc/unreachable`, `address/invalid` if there is no token
 */
export async function getEvmAsset(
  clients: EvmClients,
  network: Network,
  address: string,
): Promise<Asset & { readonly name: string }> {
  const token = parseEvmAddress(address)
  const client = getEvmClient(clients, network)
  const [decimals, symbol, name] = await wrapUnreachable(
    network,
    Promise.all([
      callToken(client, token, 'decimals'),
      callToken(client, token, 'symbol'),
      callToken(client, token, 'name'),
    ]),
  )
  const places = size(decimals) === 32 ? BigInt(decimals) : undefined
  if (places === undefined || places > mostDecimals) throw invalidToken(address)
  const shortSymbol = parseTokenText(symbol, longestTexts.symbol)
  if (shortSymbol === '') throw invalidToken(address)
  return {
    address: token,
    symbol: shortSymbol,
    decimals: Number(places),
    name: parseTokenText(name, longestTexts.name) || shortSymbol,
  }
}

/**
 * Reads the balance of a token.
 *
 * @throws LatchkeyError `rpc/unreachable`, `address/invalid` if there is no token
 */
export async function getTokenBalance(
  clients: EvmClients,
  network: Network,
  { holder, token }: { holder: string; token: string },
): Promise<bigint> {
  const address = parseEvmAddress(token)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [parseEvmAddress(holder)] })
  const response = await wrapUnreachable(network, callContract(getEvmClient(clients, network), address, data))
  if (size(response) < 32) throw invalidToken(token)
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: response })
}

/** Reads the name of a contract, cut to one short line. Returns an empty text if it has none. */
export async function readEvmName(clients: EvmClients, network: Network, contract: Address): Promise<string> {
  const name = await wrapUnreachable(network, callToken(getEvmClient(clients, network), contract, 'name'))
  return parseTokenText(name, longestTexts.name)
}

function callToken(client: Client, to: Address, functionName: 'decimals' | 'symbol' | 'name'): Promise<Hex> {
  return callContract(client, to, encodeFunctionData({ abi: erc20Abi, functionName }))
}

/** Calls a contract. Returns `0x` if it reverts, which it also does without such a function. */
export async function callContract(client: Client, to: Address, data: Hex): Promise<Hex> {
  try {
    const response: unknown = await client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
    return isHex(response) ? response : '0x'
  } catch (error) {
    if (findLatchkeyError(error)?.code === 'rpc/unreachable') throw error
    return '0x'
  }
}

/** Parses a string. Old tokens return 32 bytes instead. */
function parseTokenText(data: Hex, length: number): string {
  return toOneLine(decodeText(data), length)
}

function decodeText(data: Hex): string {
  try {
    if (size(data) === 32) return hexToString(data).replaceAll('\0', '')
    return decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data })
  } catch {
    return ''
  }
}

function invalidToken(value: string): LatchkeyError {
  return inputError('address/invalid', { namespace: 'eip155', value })
}
