import type { Asset } from '@latchkey/core/money'
import { LatchkeyError, type Network } from '@latchkey/protocol'
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
import { checkedAddress } from '../checkedAddress.ts'
import { readerOf, reading, unreachableIn, type Readers } from '../readers.ts'
import { oneLine } from '../revertReason.ts'
import { erc20 } from './erc20.ts'

const mostDecimals = 77
const longest = { symbol: 24, name: 64 } as const

/**
 * What a token says of itself. It is anybody's text: kept short and on one line.
 *
 * @throws LatchkeyError `rpc/unreachable`, `address/invalid` where there is no token.
 */
export async function readAsset(
  readers: Readers,
  network: Network,
  address: string,
): Promise<Asset & { readonly name: string }> {
  const token = checkedAddress(address)
  const reader = readerOf(readers, network)
  const [decimals, symbol, name] = await reading(
    network,
    Promise.all([
      callToken(reader, token, 'decimals'),
      callToken(reader, token, 'symbol'),
      callToken(reader, token, 'name'),
    ]),
  )
  const places = size(decimals) === 32 ? BigInt(decimals) : undefined
  if (places === undefined || places > mostDecimals) throw noToken(address)
  const shown = readText(symbol, longest.symbol)
  if (shown === '') throw noToken(address)
  return { address: token, symbol: shown, decimals: Number(places), name: readText(name, longest.name) || shown }
}

/**
 * How much of a token somebody holds, as the token itself tells.
 *
 * @throws LatchkeyError `rpc/unreachable`, `address/invalid` where there is no token.
 */
export async function readTokenBalance(
  readers: Readers,
  network: Network,
  { holder, token }: { holder: string; token: string },
): Promise<bigint> {
  const address = checkedAddress(token)
  const data = encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [checkedAddress(holder)] })
  const answer = await reading(network, callAnything(readerOf(readers, network), address, data))
  if (size(answer) < 32) throw noToken(token)
  return decodeFunctionResult({ abi: erc20, functionName: 'balanceOf', data: answer })
}

function callToken(reader: Client, to: Address, functionName: 'decimals' | 'symbol' | 'name'): Promise<Hex> {
  return callAnything(reader, to, encodeFunctionData({ abi: erc20, functionName }))
}

/** What a contract answers; nothing where it reverts, as it does where there is no such function. */
async function callAnything(reader: Client, to: Address, data: Hex): Promise<Hex> {
  try {
    const answer: unknown = await reader.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
    return isHex(answer) ? answer : '0x'
  } catch (error) {
    if (unreachableIn(error)?.code === 'rpc/unreachable') throw error
    return '0x'
  }
}

/** Old tokens have 32 bytes where others have a text of any length. */
function readText(data: Hex, length: number): string {
  return oneLine(decodeText(data), length)
}

function decodeText(data: Hex): string {
  try {
    if (size(data) === 32) return hexToString(data).replaceAll('\0', '')
    return decodeFunctionResult({ abi: erc20, functionName: 'symbol', data })
  } catch {
    return ''
  }
}

function noToken(value: string): LatchkeyError {
  return new LatchkeyError('address/invalid', { namespace: 'eip155', value })
}
