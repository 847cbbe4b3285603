import { LRUCache } from 'lru-cache'
import type { Bus } from '../../kit/bus/bus.ts'
import type { Clock } from '../../kit/runtime/clock.ts'

/** Loads the prices of assets. Assets without a price are left out. */
export type LoadPrices = (assets: readonly string[]) => Promise<ReadonlyMap<string, number>>

/** A cache of prices, one entry per asset. */
export type PriceCache = {
  /**
   * Gets the prices of assets, and loads the missing ones together. Concurrent calls share the load of an asset. Prices
   * near their expiry are loaded again in the background, together with each other.
   *
   * @param place the chain and currency of the prices
   */
  get(place: string, assets: readonly string[], load: LoadPrices): Promise<ReadonlyMap<string, number>>
}

export type PriceCacheOptions = {
  bus: Bus
  clock: Clock
  /** Unique among the caches that processes share. */
  name: string
}

/** `null` is an asset that has no price. */
type Entry = { price: number | null; at: number }
type Entries = readonly (readonly [key: string, price: number | null])[]

const ttlMs = 30_000
const refreshAfterMs = 22_000
const maxEntries = 50_000

/** Creates an empty cache. */
export function createPriceCache({ bus, clock, name }: PriceCacheOptions): PriceCache {
  const entries = new LRUCache<string, Entry>({ max: maxEntries })
  const pending = new Map<string, Promise<void>>()
  const channel = `prices/${name}`

  function store(loaded: Entries): void {
    for (const [key, price] of loaded) entries.set(key, { price, at: clock.now() })
  }

  // Another process of this server wrote it.
  bus.subscribe(channel, ({ text }) => store(JSON.parse(String(text)) as Entries))

  async function loadNew(place: string, assets: readonly string[], load: LoadPrices): Promise<void> {
    const prices = await load(assets)
    const loaded = assets.map((asset) => [`${place}/${asset}`, prices.get(asset) ?? null] as const)
    store(loaded)
    if (bus.spansProcesses) bus.publish(channel, { text: JSON.stringify(loaded) })
  }

  async function loadAll(place: string, assets: readonly string[], load: LoadPrices): Promise<void> {
    const fresh = assets.filter((asset) => !pending.has(`${place}/${asset}`))
    if (fresh.length > 0) {
      const keys = fresh.map((asset) => `${place}/${asset}`)
      const loading = loadNew(place, fresh, load).finally(() => keys.forEach((key) => pending.delete(key)))
      for (const key of keys) pending.set(key, loading)
    }
    await Promise.all(new Set(assets.flatMap((asset) => pending.get(`${place}/${asset}`) ?? [])))
  }

  return {
    async get(place, requested, load) {
      const assets = [...new Set(requested)]
      const olderThan = (age: number): readonly string[] =>
        assets.filter(
          (asset) => clock.now() - (entries.get(`${place}/${asset}`)?.at ?? Number.NEGATIVE_INFINITY) >= age,
        )
      const old = olderThan(refreshAfterMs)
      const loading = old.length === 0 ? undefined : loadAll(place, old, load)
      if (olderThan(ttlMs).length > 0) await loading
      else loading?.catch(() => undefined)
      return new Map(
        assets.flatMap((asset): [string, number][] => {
          const price = entries.get(`${place}/${asset}`)?.price ?? null
          return price === null ? [] : [[asset, price]]
        }),
      )
    },
  }
}
