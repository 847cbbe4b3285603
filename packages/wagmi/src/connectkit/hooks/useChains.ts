import type { Chain } from 'viem'
import { useConfig } from 'wagmi'

/**
 * Returns the chains of the app.
 *
 * @returns the chains of wagmi's configuration
 * @throws WagmiProviderNotFoundError of wagmi outside of a `WagmiProvider`
 * @example const names = useChains().map(({ name }) => name)
 */
export function useChains(): readonly Chain[] {
  return useConfig().chains
}
