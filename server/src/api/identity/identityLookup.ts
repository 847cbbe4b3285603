import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Identity, NameSource, ScopedIdentity } from './nameSource.ts'

/** An identity with the time of its lookup. */
export type ResolvedIdentity = Identity & { resolvedAt: string }

/** Looks up names of addresses, with a cache. */
export type IdentityLookup = {
  /**
   * Returns the identity of an address, or that of its account on one chain (CAIP-2). Without a chain, identities that
   * are valid on one chain only don't count: on other chains, another user may own the contract at the address.
   *
   * @throws any error of a source. Errors are not cached.
   */
  identity(address: string, chainId?: string): Promise<ResolvedIdentity>
}

/** Time to live in milliseconds, here and in the caches of clients [R9.1.10]. */
const ttl = 300_000
const limit = 20_000
/** Contracts choose the names and the avatars, which can be whole pictures. */
const defaultMaxBytes = 16 * 1024 * 1024
/** About the memory of an identity without the letters of its texts. */
const identityBytes = 150

export type IdentityLookupDependencies = {
  sources: readonly NameSource[]
  bus: Bus
  clock: Clock
  /** The memory of all identities; 16 MiB by default. */
  maxBytes?: number
  /** Subscribes to addresses whose name changed. */
  onChange?(listener: (address: string) => void): void
}

/** Creates the lookup. The first source that knows a name wins. */
export function createIdentityLookup({
  sources,
  bus,
  clock,
  maxBytes = defaultMaxBytes,
  onChange,
}: IdentityLookupDependencies): IdentityLookup {
  const cache = createCache<ResolvedIdentities>({
    clock,
    ttlMs: ttl,
    maxEntries: limit,
    memory: { maxBytes, estimateBytes: estimateIdentityBytes },
    // Versions with one identity per address share theirs under another name.
    shared: { bus, name: 'identities' },
  })
  onChange?.((address) => cache.invalidate([address.toLowerCase()]))

  async function resolve(address: string): Promise<ResolvedIdentities> {
    const identities: ScopedIdentity[] = []
    for (const source of sources) {
      identities.push(...(await source.listIdentities(address)))
      // Later sources are not needed after an identity of all chains.
      if (identities.some((each) => each.chainId === undefined)) break
    }
    return { identities, resolvedAt: new Date(clock.now()).toISOString() }
  }

  return {
    async identity(address, chainId) {
      const { identities, resolvedAt } = await cache.get(address.toLowerCase(), () => resolve(address))
      const found = identities.find((each) => each.chainId === undefined || each.chainId === chainId)
      return { name: found?.name ?? null, avatar: found?.avatar ?? null, resolvedAt }
    },
  }
}

/** A character takes up to two bytes. */
function estimateIdentityBytes({ identities }: ResolvedIdentities): number {
  const letters = identities.map(({ name, avatar }) => 2 * ((name?.length ?? 0) + (avatar?.length ?? 0)))
  return letters.reduce((sum, each) => sum + identityBytes + each, identityBytes)
}

type ResolvedIdentities = { identities: readonly ScopedIdentity[]; resolvedAt: string }
