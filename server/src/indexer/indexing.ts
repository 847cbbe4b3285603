import { setMaxListeners } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../kit/bus/bus.ts'
import { createChainRpc } from '../kit/chain/chainRpc.ts'
import type { Chain, IndexOptions } from '../kit/chain/chains.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import { pause } from '../kit/runtime/pause.ts'
import type { EndpointPools } from '../kit/chain/endpointPools.ts'
import { migrate } from '../kit/database/migrations.ts'
import type { Hex } from './block.ts'
import { createIndexedChains, type IndexedChain, type IndexedChains } from './indexedChains.ts'
import { followChain } from './followChain.ts'
import { publishIndexUpdate } from './indexUpdates.ts'
import { keepIndexed, type FollowedChain, type IndexLease, type IndexTiming } from './keepIndexed.ts'
import { indexerMigrations } from '../schema/indexerMigrations.ts'
import type { HistoryStore } from './history/historyStore.ts'
import { createIndexStore, type IndexStore } from './indexStore.ts'
import { onAddressRequest } from './requested/addressRequests.ts'
import { createAddressStore, type AddressStore } from './requested/createAddressStore.ts'
import { createRequestedIndexer, defaultRequestedLimits } from './requested/createRequestedIndexer.ts'
import type { TransactionFinder } from './requested/transactionFinder.ts'
import { createWake } from './createWake.ts'

/** Progress of the index of a chain: the first and the last indexed block, and the head of the chain. */
export type IndexProgress = { chain: string; from: number; head: number; target: number; failing: boolean }

/** The running index. */
export type Indexing = {
  indexed: IndexedChains
  /** The requested addresses of chains that index only these. */
  addresses: AddressStore
  progress(): readonly IndexProgress[]
  /** True for chains that this process indexes now. */
  leases(): readonly { chain: string; isHeld: boolean }[]
  /** Starts to follow the chains. */
  begin(): void
  close(): Promise<void>
}

export type IndexingDependencies = {
  chains: readonly Chain[]
  database: Database
  history: HistoryStore
  bus: Bus
  pools: EndpointPools
  clock: Clock
  log: FastifyBaseLogger
  timing?: IndexTiming
  /** Gets the provider that finds transactions of requested addresses of a chain. */
  getProviderFinder?(chain: Chain): TransactionFinder | undefined
}

const defaultTiming: IndexTiming = { poll: 1_000, lease: 10_000, maxDelay: 30_000, shutdown: 2_000 }

/** Opens the index of the chains that are configured for it. One process at a time indexes a chain. */
export async function openIndexing(dependencies: IndexingDependencies): Promise<Indexing> {
  const { chains, database, history, clock, log, timing = defaultTiming } = dependencies
  await migrate(database.kysely, indexerMigrations, 'indexer')
  const store = createIndexStore(database)
  const addresses = createAddressStore(database)
  const stores = { store, history, addresses }
  const opened = await Promise.all(
    chains.flatMap((chain) => (chain.index === undefined ? [] : [openChain(dependencies, stores, chain, chain.index)])),
  )
  const stopping = new AbortController()
  // Each chain waits for the signal. Node.js warns from eleven listeners on.
  setMaxListeners(0, stopping.signal)
  const running: Promise<void>[] = []
  return {
    indexed: createIndexedChains(opened),
    addresses,
    progress: () => opened.map(({ progress }) => progress),
    leases: () => opened.map(({ caip, lease }) => ({ chain: caip, isHeld: lease.isHeld })),
    begin: () =>
      void running.push(
        ...opened.map((each) => keepIndexed(each, { store, clock, log, timing, signal: stopping.signal })),
      ),
    async close() {
      stopping.abort()
      // A slow node must not delay the shutdown. Writes are atomic.
      await Promise.race([Promise.allSettled(running), pause(timing.shutdown)])
    },
  }
}

type Stores = { store: IndexStore; history: HistoryStore; addresses: AddressStore }
type OpenedChain = IndexedChain & FollowedChain & { progress: IndexProgress }

async function openChain(
  { bus, pools, clock, log, database, getProviderFinder }: IndexingDependencies,
  { store, history, addresses }: Stores,
  chain: Chain,
  index: IndexOptions,
): Promise<OpenedChain> {
  const { caipNetworkId: caip, nativeCurrency: native, tokens } = chain
  const { from: first } = index
  const position = await store.open(caip, first)
  const rpc = createChainRpc(pools.get(chain))
  const changed = (concerned: readonly Hex[] | undefined, head: number): void =>
    publishIndexUpdate(bus, { chain: caip, concerned, head })
  const { chain: number, head, target } = position
  const progress: IndexProgress = { chain: caip, from: position.first, head, target, failing: false }
  const progressed = (reached: { head: number; target: number }): void => void Object.assign(progress, reached)
  const readPosition = async (): Promise<void> => {
    const current = await store.open(caip, first)
    progressed({ target: current.target, head: current.head })
  }
  const shared = { caip, rpc, store, history, log, first, changed, progressed }
  const lease: IndexLease = { isHeld: false }
  const common = { chain: number, caip, native, tokens, rpc, progress, readPosition, lease }
  if (index.addresses !== 'requested') return { ...common, indexer: followChain(shared) }
  const limits = { ...defaultRequestedLimits, ...index }
  const wake = createWake()
  onAddressRequest(bus, caip, wake.trigger)
  const provider = getProviderFinder?.(chain)
  const own = { database, clock, addresses, provider, maxTransactions: limits.maxTransactions, hasMore: wake.trigger }
  return {
    ...common,
    requested: { from: first, maxAddresses: limits.maxAddresses },
    indexer: createRequestedIndexer({ ...shared, ...own }),
    wait: wake.wait,
  }
}
