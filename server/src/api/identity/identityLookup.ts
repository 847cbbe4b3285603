import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Identity, NameSource } from './nameSource.ts'

/** An identity with the time of its lookup. */
export type ResolvedIdentity = Identity & { resolvedAt: string }

/** Looks up names of addresses, with a cache. */
export type IdentityLookup = {
  /** @throws any error of a source. Errors are not cached. */
  identity(address: string): Promise<ResolvedIdentity>
}

/** Time to live in milliseconds, here and in the caches of clients [R9.1.10]. */
const ttl = 300_000
const limit = 20_000

export type IdentityLookupDependencies = {
  sources: readonly NameSource[]
  bus: Bus
  clock: Clock
  /** Subscribes to addresses whose name changed. */
  onChange?(listener: (address: string) => void): void
}

/** Creates the lookup. The first source that knows a name wins. */
export function createIdentityLookup({ sources, bus, clock, onChange }: IdentityLookupDependencies): IdentityLookup {
  const cache = createCache<ResolvedIdentity>({
    clock,
    ttlMs: ttl,
    maxEntries: limit,
    shared: { bus, name: 'identity' },
  })
  onChange?.((address) => cache.invalidate([address.toLowerCase()]))

  async function resolve(address: string): Promise<ResolvedIdentity> {
    for (const source of sources) {
      const found = await source.identity(address)
      if (found !== undefined) return { ...found, resolvedAt: new Date(clock.now()).toISOString() }
    }
    return { name: null, avatar: null, resolvedAt: new Date(clock.now()).toISOString() }
  }

  return { identity: (address) => cache.get(address.toLowerCase(), () => resolve(address)) }
}
