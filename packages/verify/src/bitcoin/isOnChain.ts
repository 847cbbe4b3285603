import type { ChainId } from '@latchkey/protocol'
import { readAddress } from './address.ts'

/** The first blocks of the chains whose addresses are known, as CAIP-2 writes them. */
const chains: Readonly<Record<string, 'mainnet' | 'testnet' | 'regtest'>> = {
  'bip122:000000000019d6689c085ae165831e93': 'mainnet',
  'bip122:000000000933ea01ad0ee984209779ba': 'testnet',
  'bip122:00000000da84f2bafbbc53dee25a72ae': 'testnet',
  'bip122:00000008819873e925422c1ff0f99f7c': 'testnet',
}

/** Whether an address is one of a chain; of chains that are not known here, every address is. */
export function isOnChain(address: string, chainId: ChainId): boolean {
  const network = chains[chainId]
  return network === undefined || readAddress(address)?.network === network
}
