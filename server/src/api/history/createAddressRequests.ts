import { LRUCache } from 'lru-cache'
import type { Hex } from '../../indexer/block.ts'
import type { IndexedChain, IndexedChains } from '../../indexer/indexedChains.ts'
import { publishAddressRequest } from '../../indexer/requested/addressRequests.ts'
import type { AddressState, AddressStore } from '../../indexer/requested/createAddressStore.ts'
import type { Bus } from '../../kit/bus/bus.ts'
import { Problem } from '../../kit/http/problem.ts'
import { assertWithinLimit } from '../../kit/limits/assertWithinLimit.ts'
import type { RateLimiter } from '../../kit/limits/rateLimiters.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { pause } from '../../kit/runtime/pause.ts'

/** The sender of a request: the client's address and its project. */
export type Requester = { client: string; project: string }

/** A chain by its CAIP-2 id. */
type ChainName = { readonly caipNetworkId: string }

/** Notes the requests for addresses of chains that index only requested addresses. */
export type AddressRequests = {
  /**
   * Notes the request for an address. The index then follows it.
   *
   * @throws Problem 429 if the requester asked for too many new addresses, 503 if the index has no room for another one
   */
  note(chains: readonly ChainName[], address: string, requester: Requester): Promise<void>
  /** Waits until the newest transactions of an address are indexed, for about a second at most. */
  untilIndexed(chains: readonly ChainName[], address: string): Promise<void>
}

export type AddressRequestsDependencies = {
  indexed: IndexedChains
  addresses: AddressStore
  bus: Bus
  clock: Clock
  /** Limits the new addresses of a client, and of a project. */
  limiters: { client: RateLimiter; project: RateLimiter }
}

type RequestedChain = IndexedChain & { requested: NonNullable<IndexedChain['requested']> }

/** A request of a known address is noted once in this time. */
const noteEveryMs = 60 * 60 * 1_000
const maxNoted = 100_000
const maxWaitMs = 1_500
/** Time until the next look into the index. It grows, because many requests wait while the index is behind. */
const checkAfterMs = { first: 20, most: 200, growth: 1.5 }

/** Creates the notes of requests on the index. */
export function createAddressRequests(dependencies: AddressRequestsDependencies): AddressRequests {
  const { indexed, addresses, clock } = dependencies
  const noted = new LRUCache<string, true>({ max: maxNoted, ttl: noteEveryMs, perf: clock, ttlResolution: 0 })

  function selectRequested(chains: readonly ChainName[]): readonly RequestedChain[] {
    return chains.flatMap(({ caipNetworkId }) => {
      const chain = indexed.byCaip(caipNetworkId)
      return chain?.requested === undefined ? [] : [{ ...chain, requested: chain.requested }]
    })
  }

  return {
    async note(chains, address, requester) {
      const account = toAccountHex(address)
      const open = selectRequested(chains).filter(({ chain }) => !noted.has(`${chain}/${account}`))
      if (open.length === 0) return
      const known = await addresses.find(toNumbers(open), account)
      await addresses.touch([...known.keys()], account, clock.now())
      const unknown = open.filter(({ chain }) => !known.has(chain))
      if (unknown.length > 0) await addAddress(dependencies, unknown, account, requester)
      for (const { chain } of open) noted.set(`${chain}/${account}`, true)
    },
    async untilIndexed(chains, address) {
      const requested = selectRequested(chains)
      if (requested.length === 0) return
      let next = checkAfterMs.first
      for (let waited = 0; waited < maxWaitMs; waited += next) {
        const states = await addresses.find(toNumbers(requested), toAccountHex(address))
        if (requested.every(({ chain }) => !isAwaited(states.get(chain), clock.now()))) return
        await pause(next)
        next = Math.min(next * checkAfterMs.growth, checkAfterMs.most)
      }
    },
  }
}

function toNumbers(chains: readonly RequestedChain[]): readonly number[] {
  return chains.map(({ chain }) => chain)
}

/** Requests don't wait for addresses that the index has no room for, and for those whose sources fail now. */
function isAwaited(state: AddressState | undefined, now: number): boolean {
  if (state === undefined || state.retryAt > now) return false
  return !state.isFollowed || (state.pages === 0 && state.gapTo !== null)
}

async function addAddress(
  { addresses, bus, clock, limiters }: AddressRequestsDependencies,
  chains: readonly RequestedChain[],
  address: Hex,
  { client, project }: Requester,
): Promise<void> {
  await assertWithinLimit(limiters.client, client, chains.length)
  // The access to the server ignores the case of the id, too.
  await assertWithinLimit(limiters.project, project.toLowerCase(), chains.length)
  const results = await Promise.all(
    chains.map(async ({ chain, caip, requested: { maxAddresses } }) => {
      const result = await addresses.request(chain, address, { now: clock.now(), maxAddresses })
      if (result === 'added') publishAddressRequest(bus, caip)
      return result
    }),
  )
  if (results.every((result) => result === 'full')) {
    const retryAfter = noteEveryMs / 1_000
    throw new Problem(503, 'address', 'The address limit is reached. Try again later.', { retryAfter })
  }
}

function toAccountHex(address: string): Hex {
  return `0x${address.slice(2).toLowerCase()}`
}
