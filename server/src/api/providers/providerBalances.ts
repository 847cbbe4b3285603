import type { Clock } from '../../kit/runtime/clock.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { getBlockscoutBalances } from './blockscout.ts'
import { getGoldrushBalances } from './goldrush.ts'
import { createProviderFetch } from './providerFetch.ts'
import { requestFirstAvailable, selectProviders } from './selectProviders.ts'

const balanceKinds: readonly DataProvider['kind'][] = ['blockscout', 'goldrush']

/** Creates the balance source of providers. The first available one, in the operator's order, is used. */
export function createProviderBalances(clock: Clock): BalanceSource {
  const fetchJson = createProviderFetch(clock)
  return {
    covers: (chain) => selectProviders(chain, balanceKinds).length > 0,
    balances: (chain, address) =>
      requestFirstAvailable(selectProviders(chain, balanceKinds), (provider) =>
        provider.kind === 'blockscout'
          ? getBlockscoutBalances(fetchJson, provider, chain, address)
          : getGoldrushBalances(fetchJson, provider, chain, address),
      ),
  }
}
