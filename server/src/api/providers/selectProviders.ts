import { parseChainId } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import { ProviderUnavailableError } from './providerFetch.ts'

/** The namespaces of providers that are not for EVM chains. */
const namespaces: { readonly [kind in DataProvider['kind']]?: string } = {
  esplora: 'bip122',
  electrum: 'bip122',
  subscan: 'polkadot',
}

/** Selects the providers of a chain by kind, in the operator's order, without those of other namespaces. */
export function selectProviders(
  { caipNetworkId, providers = [] }: Chain,
  kinds: readonly DataProvider['kind'][],
): readonly DataProvider[] {
  const { namespace } = parseChainId(caipNetworkId)
  return providers.filter(({ kind }) => kinds.includes(kind) && (namespaces[kind] ?? 'eip155') === namespace)
}

/**
 * Returns the result of the first provider that is available.
 *
 * @throws ProviderUnavailableError if none is
 */
export async function requestFirstAvailable<result>(
  providers: readonly DataProvider[],
  request: (provider: DataProvider) => Promise<result>,
): Promise<result> {
  const reasons: string[] = []
  for (const provider of providers) {
    try {
      return await request(provider)
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) throw error
      reasons.push(error.message)
    }
  }
  throw new ProviderUnavailableError(reasons.join(' '))
}
