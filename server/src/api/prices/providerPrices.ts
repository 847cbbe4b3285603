import { parseChainId } from '@latchkey/protocol'
import type { Bus } from '../../kit/bus/bus.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createProviderFetch } from '../providers/providerFetch.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { createPriceCache } from './priceCache.ts'
import type { PriceSource } from './priceSource.ts'

/** Tokens per request, which limits the length of the URL. */
const assetsPerRequest = 50

type PricedAssets = readonly (readonly [asset: string, price: number])[]

/** Creates the price source of CoinGecko's API, with the operator's key. */
export function createProviderPrices({ bus, clock }: { bus: Bus; clock: Clock }): PriceSource {
  const request = createProviderFetch(clock)
  const cache = createPriceCache({ bus, clock, name: 'providerPrices' })

  return {
    async prices(chain, assets, currency) {
      const provider = chain.providers?.find(({ kind }) => kind === 'coingecko')
      if (provider === undefined) return new Map()
      const { network = '', coin } = provider
      const quoteTokens = async (some: readonly string[]): Promise<PricedAssets> => {
        const query = { contract_addresses: some.join(), vs_currencies: currency }
        const response = await request(provider, `/simple/token_price/${network}`, query)
        return some.flatMap((token) => toPricedAssets(token, getField(response, token, currency)))
      }
      const quoteNative = async (): Promise<PricedAssets> => {
        if (coin === undefined) return []
        const response = await request(provider, '/simple/price', { ids: coin, vs_currencies: currency })
        return toPricedAssets('native', getField(response, coin, currency))
      }
      const load = async (some: readonly string[]): Promise<ReadonlyMap<string, number>> => {
        const groups = toGroups(some.filter((asset) => asset !== 'native').toSorted())
        const all = await Promise.all([...groups.map(quoteTokens), ...(some.includes('native') ? [quoteNative()] : [])])
        return new Map(all.flat())
      }
      // Only the hexadecimal addresses of eip155 are the same in both cases.
      const isHex = parseChainId(chain.caipNetworkId).namespace === 'eip155'
      const keyOf = (asset: string): string => (isHex ? asset.toLowerCase() : asset)
      const known = await cache.get(`${chain.caipNetworkId}/${currency}`, assets.map(keyOf), load)
      return new Map(
        assets.flatMap((asset): [string, number][] => {
          const price = known.get(keyOf(asset))
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
  return Array.from({ length: Math.ceil(all.length / assetsPerRequest) }, (_, group) =>
    all.slice(group * assetsPerRequest, (group + 1) * assetsPerRequest),
  )
}
