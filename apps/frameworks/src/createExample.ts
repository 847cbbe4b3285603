import { createLatchkey, type Latchkey } from '@latchkey/core'
import { evm, type EvmChain } from '@latchkey/evm'

/** Creates the instance of an example: two chains of the node that the address names. */
export function createExample(): Latchkey {
  const rpc = new URLSearchParams(location.search).get('rpc') ?? 'http://127.0.0.1:8545'
  return createLatchkey({ adapters: [evm({ chains: [localChain(31_337, rpc), localChain(31_338, rpc)] })] })
}

function localChain(id: number, rpc: string): EvmChain {
  return {
    id,
    name: `Local ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpc] } },
  }
}
