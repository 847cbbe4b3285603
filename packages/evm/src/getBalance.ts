import type { Balance } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { isHex } from 'viem/utils'
import { checkedAddress } from './checkedAddress.ts'
import { readerOf, reading, type Readers } from './readers.ts'

/** Reads the native balance of an address. */
export async function getBalance(readers: Readers, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  // viem's own getBalance brings its contract machinery along: 28 kB for one call.
  const asking = readerOf(readers, network).request({
    method: 'eth_getBalance',
    params: [checkedAddress(address), 'latest'],
  })
  return { value: await reading(network, asking.then(readQuantity)), decimals, symbol }
}

/** An endpoint that answers with anything else is no endpoint of a chain. */
function readQuantity(answer: unknown): bigint {
  if (isHex(answer)) return BigInt(answer)
  throw new TypeError('The balance is not a hexadecimal number.')
}
