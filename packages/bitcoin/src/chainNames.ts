import type { AccountId, ChainId } from '@latchkey/protocol'
import { referenceOf, references, type ChainName } from './networks.ts'

/** Reads what a wallet calls its chain: `Mainnet`, `livenet`, `BITCOIN_SIGNET`, `bitcoin:testnet`. */
export function chainOfName(value: unknown): ChainId | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase().replace(/^bitcoin[_:]/, '')
  const known = name === 'livenet' ? 'mainnet' : name
  return Object.hasOwn(references, known) ? `bip122:${references[known as ChainName]}` : undefined
}

/** What wallets call a chain; undefined for one that none of them knows. */
export function nameOfChain(chainId: ChainId): ChainName | undefined {
  const names = Object.keys(references) as readonly ChainName[]
  return names.find((name) => references[name] === referenceOf(chainId))
}

/** An address on a chain (CAIP-10). */
export function accountIdOf(chainId: ChainId, address: string): AccountId {
  return `bip122:${referenceOf(chainId)}:${address}`
}
