import type { Chain } from 'viem'
import { http, type Transport } from 'wagmi'

/** Creates the transports of an app that configures none: `http()` for each chain, with the URL that the chain names. */
export function createTransports(chains: readonly Chain[]): Record<number, Transport> {
  return Object.fromEntries(chains.map(({ id }) => [id, http()]))
}
