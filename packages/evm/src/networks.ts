import type { AccountId, ChainId, Network } from '@latchkey/protocol'
import type { Chain } from 'viem'

/** A chain as viem describes it, in the words of Latchkey. */
export function networkOf({ id, name, nativeCurrency, rpcUrls, blockExplorers, testnet, contracts }: Chain): Network {
  const http = rpcUrls.default.http
  const explorer = blockExplorers?.default
  const names = contracts?.ensUniversalResolver?.address
  return {
    id,
    caipNetworkId: `eip155:${id}`,
    chainNamespace: 'eip155',
    name,
    nativeCurrency,
    rpcUrls: { default: { http }, chainDefault: { http } },
    blockExplorers: explorer === undefined ? undefined : { default: { name: explorer.name, url: explorer.url } },
    testnet,
    ...(names !== undefined && { contracts: { ensUniversalResolver: { address: names } } }),
  }
}

/** What can be said of a chain that the app did not configure: there is no way to read it. */
export function unknownNetworkOf(chainId: ChainId): Network {
  const id = Number(referenceOf(chainId))
  return {
    id,
    caipNetworkId: chainId,
    chainNamespace: 'eip155',
    name: `Unknown network ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  }
}

/** The number of a chain in the hexadecimal form of EIP-695, without leading zeros. */
export function hexChainId(chainId: ChainId): string {
  return `0x${BigInt(referenceOf(chainId)).toString(16)}`
}

/** An address on a chain (CAIP-10). */
export function accountIdOf(chainId: ChainId, address: string): AccountId {
  return `eip155:${referenceOf(chainId)}:${address}`
}

/** Reads what `eth_chainId` and `chainChanged` tell; some wallets give a number, or a decimal text. */
export function readChainId(value: unknown): ChainId | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const id = /^(0x[0-9a-f]+|\d+)$/i.test(String(value)) ? Number(value) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? `eip155:${id}` : undefined
}

function referenceOf(chainId: ChainId): string {
  return chainId.slice(chainId.indexOf(':') + 1)
}
