import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createProviderFetch } from '../providers/providerFetch.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { PriceSource } from './priceSource.ts'

const ttl = 30_000
const limit = 5_000
/** Tokens per request, which limits the length of the URL. */
const perQuestion = 50

type PricedAssets = readonly (readonly [asset: string, price: number])[]

/** Creates the price source of CoinGecko's API, with the operator's key. */
export function createProviderPrices({ bus, clock }: { bus: Bus; clock: Clock }): PriceSource {
  const ask = createProviderFetch(clock)
  const cache = createCache<PricedAssets>({
    clock,
    ttlMs: ttl,
    maxEntries: limit,
    shared: { bus, name: 'providerPrices' },
  })

  return {
    async prices(chain, assets, currency) {
      const provider = chain.providers?.find(({ kind }) => kind === 'coingecko')
      if (provider === undefined) return new Map()
      const { network = '', coin } = provider
      const tokens = assets.filter((asset) => asset !== 'native').map((asset) => asset.toLowerCase())
      const askTokens = (some: readonly string[]) => async (): Promise<PricedAssets> => {
        const query = { contract_addresses: some.join(), vs_currencies: currency }
        const response = await ask(provider, `/simple/token_price/${network}`, query)
        return some.flatMap((token) => toPricedAssets(token, getField(response, token, currency)))
      }
      const askNative = async (): Promise<PricedAssets> => {
        const response = await ask(provider, '/simple/price', { ids: coin ?? '', vs_currencies: currency })
        return toPricedAssets('native', getField(response, coin ?? '', currency))
      }
      const groups = toGroups([...new Set(tokens)].toSorted())
      const place = `${chain.caipNetworkId}/${currency}`
      const all = await Promise.all([
        ...groups.map((some) => cache.get(`${place}/${some.join()}`, askTokens(some))),
        ...(coin !== undefined && assets.includes('native') ? [cache.get(`${place}/native`, askNative)] : []),
      ])
      const known = new Map(all.flat())
      return new Map(
        assets.flatMap((asset): [string, number][] => {
          const price = known.get(asset.toLowerCase())
          return price === undefined ? [] : [[asset, price]]
        }),
      )
    },
  }
}

function toPricedAssets(asset: string, price: unknown): PricedAssets {
  return typeof price === 'number' && Number.isFinite(price) && price > 0 ? [[asset, price]] : []
}

function toGroups(all: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(all.length / perQuestion) }, (_, group) =>
    all.slice(group * perQuestion, (group + 1) * perQuestion),
  )
}
