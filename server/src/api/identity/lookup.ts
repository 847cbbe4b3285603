import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Identity, NameSource } from './nameSource.ts'

/** An identity, and when it was looked up. */
export type Told = Identity & { resolvedAt: string }

/** Looks names of addresses up, and keeps them for a while. */
export type Lookup = {
  /** @throws anything when a source cannot tell now; that is kept for nobody */
  identity(address: string): Promise<Told>
}

/** How long a name is good, in milliseconds: here, and in the caches of clients [R9.1.10]. */
const ttl = 300_000
const limit = 20_000

export type LookupParts = {
  sources: readonly NameSource[]
  bus: Bus
  clock: Clock
  /** Tells whose name changed. */
  onChange?(listener: (address: string) => void): void
}

/** Makes the lookup: the first source that knows a name is believed. */
export function createLookup({ sources, bus, clock, onChange }: LookupParts): Lookup {
  const cache = createCache<Told>({ clock, ttl, limit, shared: { bus, name: 'identity' } })
  onChange?.((address) => cache.forget([address.toLowerCase()]))

  async function resolve(address: string): Promise<Told> {
    for (const source of sources) {
      const found = await source.identity(address)
      if (found !== undefined) return { ...found, resolvedAt: new Date(clock.now()).toISOString() }
    }
    return { name: null, avatar: null, resolvedAt: new Date(clock.now()).toISOString() }
  }

  return { identity: (address) => cache.get(address.toLowerCase(), () => resolve(address)) }
}
