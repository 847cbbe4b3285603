import type { Balance } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { getBalance as readBalance } from 'viem/actions'
import { checkedAddress } from './checkedAddress.ts'
import { readerOf, reading, type Readers } from './readers.ts'

/** Reads the native balance of an address. */
export async function getBalance(readers: Readers, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const value = await reading(network, readBalance(readerOf(readers, network), { address: checkedAddress(address) }))
  return { value, decimals, symbol }
}
