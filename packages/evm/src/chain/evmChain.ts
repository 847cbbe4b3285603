import { getField } from '@latchkey/protocol'

/**
 * A network as viem describes it. The type names only the fields that are read, so chains of every version of viem fit, and
 * so do chains of your own.
 */
export type EvmChain = {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
  readonly blockExplorers?: { readonly default: { readonly name: string; readonly url: string } }
  readonly testnet?: boolean
  /** `ensUniversalResolver` resolves names, `gasPriceOracle` estimates the data fee of an OP Stack network. */
  readonly contracts?: { readonly [name: string]: unknown }
}

/** Returns the address of a contract that a chain names. */
export function getChainContract({ contracts }: EvmChain, name: string): `0x${string}` | undefined {
  const address = getField(contracts, name, 'address')
  return isHexText(address) ? address : undefined
}

function isHexText(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && value.startsWith('0x')
}
