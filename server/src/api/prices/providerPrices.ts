import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import type { Clock } from '../../kit/clock.ts'
import { createAskProvider } from '../providers/askProvider.ts'
import { read } from '../providers/read.ts'
import type { PriceSource } from './priceSource.ts'

const ttl = 30_000
const limit = 5_000
/** Tokens of one question, so that its address does not get too long. */
const perQuestion = 50

type Told = readonly (readonly [asset: string, price: number])[]

/** Prices from CoinGecko's API, by the operator's key. What it does not tell, or tells as nothing, is not known. */
export function createProviderPrices({ bus, clock }: { bus: Bus; clock: Clock }): PriceSource {
  const ask = createAskProvider(clock)
  const cache = createCache<Told>({ clock, ttl, limit, shared: { bus, name: 'providerPrices' } })

  return {
    async prices(chain, assets, currency) {
      const provider = chain.providers?.find(({ kind }) => kind === 'coingecko')
      if (provider === undefined) return new Map()
      const { network = '', coin } = provider
      const tokens = assets.filter((asset) => asset !== 'native').map((asset) => asset.toLowerCase())
      const askTokens = (some: readonly string[]) => async (): Promise<Told> => {
        const query = { contract_addresses: some.join(), vs_currencies: currency }
        const told = await ask(provider, `/simple/token_price/${network}`, query)
        return some.flatMap((token) => priced(token, read(told, token, currency)))
      }
      const askNative = async (): Promise<Told> => {
        const told = await ask(provider, '/simple/price', { ids: coin ?? '', vs_currencies: currency })
        return priced('native', read(told, coin ?? '', currency))
      }
      const groups = groupsOf([...new Set(tokens)].toSorted())
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

function priced(asset: string, price: unknown): Told {
  return typeof price === 'number' && Number.isFinite(price) && price > 0 ? [[asset, price]] : []
}

function groupsOf(all: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(all.length / perQuestion) }, (_, group) =>
    all.slice(group * perQuestion, (group + 1) * perQuestion),
  )
}
