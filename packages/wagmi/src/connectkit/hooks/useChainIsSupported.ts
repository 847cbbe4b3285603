import { useConfig } from 'wagmi'

/**
 * Returns true if the app uses a chain.
 *
 * @param chainId the id of the chain; undefined for none
 * @returns true or false, or null without an id
 * @throws WagmiProviderNotFoundError of wagmi outside of a `WagmiProvider`
 * @example const isSupported = useChainIsSupported(1)
 */
export function useChainIsSupported(chainId?: number): boolean | null {
  const { chains } = useConfig()
  return chainId === undefined ? null : chains.some(({ id }) => id === chainId)
}
