import type { Balance } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { isHex } from 'viem/utils'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { getEvmClient, wrapUnreachable, type EvmClients } from './evmClients.ts'

/** Reads the balance of an address in the network's native currency. */
export async function getEvmBalance(clients: EvmClients, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  // viem's getBalance would bundle its contract code: 28 kB for one request.
  const request = getEvmClient(clients, network).request({
    method: 'eth_getBalance',
    params: [parseEvmAddress(address), 'latest'],
  })
  return { value: await wrapUnreachable(network, request.then(parseBalance)), decimals, symbol }
}

/** An endpoint with any other response does not belong to a chain. */
function parseBalance(response: unknown): bigint {
  if (isHex(response)) return BigInt(response)
  throw new TypeError('The balance is not a hexadecimal number.')
}
