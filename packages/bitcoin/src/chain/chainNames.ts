import type { ChainId } from '@latchkey/protocol'
import { bitcoinMainnet } from './bitcoinNetworks.ts'
import { bitcoinRegtest, bitcoinSignet, bitcoinTestnet } from './bitcoinTestnet.ts'

/** The chains of Bitcoin, by the names that wallets use. */
const chains: Readonly<Record<ChainName, ChainId>> = {
  mainnet: bitcoinMainnet.caipNetworkId,
  testnet: bitcoinTestnet.caipNetworkId,
  testnet4: 'bip122:00000000da84f2bafbbc53dee25a72ae',
  signet: bitcoinSignet.caipNetworkId,
  regtest: bitcoinRegtest.caipNetworkId,
}

/** The name that wallets use for a chain of Bitcoin. */
export type ChainName = 'mainnet' | 'testnet' | 'testnet4' | 'signet' | 'regtest'

/** Reads a wallet's name for a chain: `Mainnet`, `livenet`, `BITCOIN_SIGNET`, `bitcoin:testnet`. */
export function parseChainName(value: unknown): ChainId | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase().replace(/^bitcoin[_:]/, '')
  const known = name === 'livenet' ? 'mainnet' : name
  return Object.hasOwn(chains, known) ? chains[known as ChainName] : undefined
}

/**
 * Reads a name of UniSat's list, which has networks that are not Bitcoin's. Their names serve as references, because no
 * standard defines ids for them: `FRACTAL_BITCOIN_MAINNET`.
 */
export function parseUnisatChain(value: unknown): ChainId | undefined {
  const isName = typeof value === 'string' && /^[A-Z][A-Z0-9_]{2,31}$/.test(value)
  return parseChainName(value) ?? (isName ? `bip122:${value}` : undefined)
}

/** Returns the name that wallets use for a chain, or `undefined` if no wallet knows it. */
export function getChainName(chainId: ChainId): ChainName | undefined {
  const names = Object.keys(chains) as readonly ChainName[]
  return names.find((name) => chains[name] === chainId)
}
