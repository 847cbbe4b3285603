import type { Balance } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { checkedAddress } from './checkedAddress.ts'
import { readerOf, reading, type Readers } from './readers.ts'

/** Reads the lamports of an address. */
export async function getBalance(readers: Readers, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const asked = readerOf(readers, network).getBalance(checkedAddress(address), { commitment: 'confirmed' })
  const { value } = await reading(network, asked.send())
  return { value, decimals, symbol }
}
