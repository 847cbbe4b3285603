import type { UniversalProvider, UniversalProviderOptions } from './universalProvider.ts'

/**
 * Creates a provider for sessions with wallets on phones and in other windows, in all namespaces at once. Loads the
 * protocol with its cryptography, and restores the session of an earlier page. The relay connects only if there is one, or
 * on `connect`.
 *
 * @param options.networks the networks of the app: the default for `connect` and for reads
 * @param options.rpcUrls the app's own endpoints, by chain, preferred to those of the networks
 * @param options.storage the storage of the session. A page that also uses the connector needs a separate storage for each.
 * @returns the provider
 * @throws LatchkeyError `config/invalid` for an invalid endpoint
 * @example
 * const provider = await createUniversalProvider({ relayUrl, projectId, metadata, networks })
 * provider.on('display_uri', showQrCode)
 * const [address] = await provider.enable()
 * const signature = await provider.request({ method: 'personal_sign', params: ['0x68690a', address] })
 */
export async function createUniversalProvider(options: UniversalProviderOptions): Promise<UniversalProvider> {
  const { createLoadedProvider } = await import('./createLoadedProvider.ts')
  return createLoadedProvider(options)
}
