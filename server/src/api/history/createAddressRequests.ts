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
import { createIndexWaits } from './createIndexWaits.ts'

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
/** Time until the next look into the index if it reports no change. It grows, because many requests wait while the index is behind. */
const checkAfterMs = { first: 200, growth: 2 }

/** Creates the notes of requests on the index. */
export function createAddressRequests(dependencies: AddressRequestsDependencies): AddressRequests {
  const { indexed, addresses, bus, clock } = dependencies
  const [noted, known] = [createAddressMemory(clock), createAddressMemory(clock)]
  const waits = createIndexWaits(bus)
  /** Concurrent requests for an address share one wait. */
  const waiting = new Map<string, Promise<void>>()

  function selectRequested(chains: readonly ChainName[]): readonly RequestedChain[] {
    return chains.flatMap(({ caipNetworkId }) => {
      const chain = indexed.byCaip(caipNetworkId)
      return chain?.requested === undefined ? [] : [{ ...chain, requested: chain.requested }]
    })
  }

  /** Remembers the chains on which the newest transactions of an address are indexed. */
  function remember(states: ReadonlyMap<number, AddressState>, account: Hex): void {
    for (const [chain, state] of states) if (isIndexed(state)) known.set(`${chain}/${account}`, true)
  }

  async function waitUntilIndexed(open: readonly RequestedChain[], account: Hex): Promise<void> {
    const names = open.map(({ caip }) => caip)
    const wait = waits.begin(names, account)
    const deadline = AbortSignal.timeout(maxWaitMs)
    try {
      let { first: next } = checkAfterMs
      while (!deadline.aborted) {
        const states = await addresses.find(toNumbers(open), account)
        remember(states, account)
        if (open.every(({ chain }) => !isAwaited(states.get(chain), clock.now()))) return
        await wait.next(next, deadline)
        next *= checkAfterMs.growth
      }
    } finally {
      wait.end()
    }
  }

  return {
    async note(chains, address, requester) {
      const account = toAccountHex(address)
      const open = selectRequested(chains).filter(({ chain }) => !noted.has(`${chain}/${account}`))
      if (open.length === 0) return
      const states = await addresses.touch(toNumbers(open), account, clock.now())
      remember(states, account)
      const unknown = open.filter(({ chain }) => !states.has(chain))
      if (unknown.length > 0) await addAddress(dependencies, unknown, account, requester)
      for (const { chain } of open) noted.set(`${chain}/${account}`, true)
    },
    async untilIndexed(chains, address) {
      const account = toAccountHex(address)
      const open = selectRequested(chains).filter(({ chain }) => !known.has(`${chain}/${account}`))
      if (open.length === 0) return
      const key = `${toNumbers(open).join()}/${account}`
      const pending = waiting.get(key) ?? waitUntilIndexed(open, account).finally(() => waiting.delete(key))
      waiting.set(key, pending)
      await pending
    },
  }
}

/** Creates the memory of addresses by chain, which forgets each one after a time. */
function createAddressMemory(clock: Clock): LRUCache<string, true> {
  return new LRUCache({ max: maxNoted, ttl: noteEveryMs, perf: clock, ttlResolution: 0 })
}

function toNumbers(chains: readonly RequestedChain[]): readonly number[] {
  return chains.map(({ chain }) => chain)
}

/** Requests don't wait for addresses that the index has no room for, and for those whose sources fail now. */
function isAwaited(state: AddressState | undefined, now: number): boolean {
  return state !== undefined && state.retryAt <= now && !isIndexed(state)
}

function isIndexed({ isFollowed, pages, gapTo }: AddressState): boolean {
  return isFollowed && (pages > 0 || gapTo === null)
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
