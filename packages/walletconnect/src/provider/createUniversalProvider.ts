import type { UniversalProvider, UniversalProviderOptions } from './universalProvider.ts'

/**
 * Makes a provider for sessions with wallets on phones and in other windows, in all chain families at once. Loads the
 * protocol with its cryptography, and takes up the session of an earlier page; a relay is dialled only when there is one,
 * or when a session is asked for.
 *
 * @param options.networks the networks of the app: what `connect` asks for and where reads go, unless said otherwise
 * @param options.rpcUrls endpoints of the app's own, by chain, before those of the networks
 * @param options.storage where the session lives; a page that also uses the connector gives each its own
 * @throws LatchkeyError `config/invalid` for an endpoint that is none.
 * @example
 * const provider = await createUniversalProvider({ relayUrl, projectId, metadata, networks: [mainnet] })
 * provider.on('display_uri', showQrCode)
 * const [address] = await provider.enable()
 * const signature = await provider.request({ method: 'personal_sign', params: ['0x68690a', address] })
 */
export async function createUniversalProvider(options: UniversalProviderOptions): Promise<UniversalProvider> {
  const { makeUniversalProvider } = await import('./universalProvider.ts')
  return makeUniversalProvider(options)
}
