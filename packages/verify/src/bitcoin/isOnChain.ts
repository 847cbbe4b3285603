import type { ChainId } from '@latchkey/protocol'
import { parseBitcoinScript } from './lockingScript.ts'

/** The address networks of known chains, by CAIP-2 id. */
const chains: Readonly<Record<string, 'mainnet' | 'testnet' | 'regtest'>> = {
  'bip122:000000000019d6689c085ae165831e93': 'mainnet',
  'bip122:000000000933ea01ad0ee984209779ba': 'testnet',
  'bip122:00000000da84f2bafbbc53dee25a72ae': 'testnet',
  'bip122:00000008819873e925422c1ff0f99f7c': 'testnet',
}

/** True if an address belongs to the chain. Every address belongs to an unknown chain. */
export function isOnChain(address: string, chainId: ChainId): boolean {
  const network = chains[chainId]
  return network === undefined || parseBitcoinScript(address)?.network === network
}
