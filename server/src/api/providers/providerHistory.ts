import type { HistoryPage } from '@latchkey/protocol'
import type { Hex } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { HistorySource } from '../history/historySource.ts'
import { createElectrumPages, type ElectrumPages } from './electrum.ts'
import { getEsploraPage } from './esplora.ts'
import { getSubscanPage } from './subscan.ts'
import { getBlockscoutPage } from './blockscout.ts'
import { getEtherscanPage } from './etherscan.ts'
import { getGoldrushPage } from './goldrush.ts'
import { createProviderFetch, type ProviderFetch } from './providerFetch.ts'
import { toHistoryItem, type ProviderTransaction } from './providerTransaction.ts'
import { requestFirstAvailable, selectProviders } from './selectProviders.ts'

const historyKinds: readonly DataProvider['kind'][] = [
  'blockscout',
  'etherscan',
  'goldrush',
  'esplora',
  'electrum',
  'subscan',
]

/** Requests to providers. Electrum servers don't use HTTP. */
type Requests = { fetchJson: ProviderFetch; getElectrumPage: ElectrumPages }

/** Creates the history source of providers. A list continues at the provider that it began with, because each has its own cursors. */
export function createProviderHistory(clock: Clock): HistorySource {
  const requests: Requests = { fetchJson: createProviderFetch(clock), getElectrumPage: createElectrumPages(clock) }
  return {
    covers: (chain) => selectProviders(chain, historyKinds).length > 0,
    async page({ chains: [chain], address, cursor, size }) {
      if (chain === undefined) return { data: [], next: null }
      const all = selectProviders(chain, historyKinds)
      const [, number, providerCursor] = /^(\d):(.*)$/.exec(cursor ?? '') ?? []
      const usable = number === undefined ? all : all.filter((_, index) => index === Number(number))
      const page = requestFirstAvailable(usable, async (provider) => {
        const request = { address, cursor: providerCursor, size }
        const { data, next } = await getProviderPage(requests, provider, chain, request)
        return { data, next: next === null ? null : `${all.indexOf(provider)}:${next}` } satisfies HistoryPage
      })
      return page.catch((cause: unknown) => {
        throw new Problem(503, 'chainId', 'The history of this chain is not available right now.', { cause })
      })
    },
  }
}

type PageRequest = { address: string; cursor: string | undefined; size: number }

async function getProviderPage(
  { fetchJson, getElectrumPage }: Requests,
  provider: DataProvider,
  chain: Chain,
  request: PageRequest,
): Promise<HistoryPage> {
  if (provider.kind === 'esplora') return getEsploraPage(fetchJson, provider, chain, request)
  if (provider.kind === 'electrum') return getElectrumPage(provider, chain, request)
  if (provider.kind === 'subscan') return getSubscanPage(fetchJson, provider, chain, request)
  const { transactions, next } = await getEvmPage(fetchJson, provider, chain, request)
  const account: Hex = `0x${request.address.slice(2).toLowerCase()}`
  return { data: transactions.flatMap((each) => toHistoryItem(chain, account, each) ?? []), next }
}

async function getEvmPage(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  chain: Chain,
  request: PageRequest,
): Promise<{ transactions: readonly ProviderTransaction[]; next: string | null }> {
  if (provider.kind === 'goldrush') return getGoldrushPage(fetchJson, provider, request)
  const { transactions, before } =
    provider.kind === 'etherscan'
      ? await getEtherscanPage(fetchJson, provider, chain, request)
      : await getBlockscoutPage(fetchJson, provider, request)
  return { transactions, next: before === null ? null : String(before) }
}
