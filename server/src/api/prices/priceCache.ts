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
  /**
   * Gets the lifetime of an entry when it is stored; 30 seconds by default.
   *
   * @param price `null` if the asset has no price
   */
  lifetimeOf?(asset: string, price: number | null): PriceLifetime
}

/** The age in milliseconds from which a price is loaded again: in the background, and before it is returned. */
export type PriceLifetime = { refreshAfterMs: number; ttlMs: number }

/** `null` is an asset that has no price. */
type Entry = { price: number | null; refreshFrom: number; expires: number }
type Entries = readonly (readonly [key: string, price: number | null])[]

const usualLifetime: PriceLifetime = { refreshAfterMs: 22_000, ttlMs: 30_000 }
const maxEntries = 50_000

/** Creates an empty cache. */
export function createPriceCache({
  bus,
  clock,
  name,
  lifetimeOf = () => usualLifetime,
}: PriceCacheOptions): PriceCache {
  const entries = new LRUCache<string, Entry>({ max: maxEntries })
  const pending = new Map<string, Promise<void>>()
  const channel = `prices/${name}`

  function store(loaded: Entries): void {
    const now = clock.now()
    for (const [key, price] of loaded) {
      const { refreshAfterMs, ttlMs } = lifetimeOf(key.slice(key.lastIndexOf('/') + 1), price)
      entries.set(key, { price, refreshFrom: now + refreshAfterMs, expires: now + ttlMs })
    }
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
      const listDue = (bound: 'refreshFrom' | 'expires'): readonly string[] =>
        assets.filter((asset) => clock.now() >= (entries.get(`${place}/${asset}`)?.[bound] ?? 0))
      const old = listDue('refreshFrom')
      const loading = old.length === 0 ? undefined : loadAll(place, old, load)
      if (listDue('expires').length > 0) await loading
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
