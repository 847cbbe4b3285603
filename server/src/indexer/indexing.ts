import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../kit/bus/bus.ts'
import { createChainRpc } from '../kit/chain/chainRpc.ts'
import type { Chain } from '../kit/chain/chains.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import { pause } from '../kit/runtime/pause.ts'
import type { EndpointPools } from '../kit/chain/endpointPools.ts'
import { migrate } from '../kit/database/migrations.ts'
import type { Hex } from './block.ts'
import { createIndexedChains, type IndexedChains } from './indexedChains.ts'
import { followChain } from './followChain.ts'
import { publishIndexUpdate } from './indexUpdates.ts'
import { keepIndexed, type IndexTiming } from './keepIndexed.ts'
import { indexerMigrations } from '../schema/indexerMigrations.ts'
import { createIndexStore } from './indexStore.ts'

/** Progress of the index of a chain: the first and the last indexed block, and the head of the chain. */
export type IndexProgress = { chain: string; from: number; head: number; target: number; failing: boolean }

/** The running index. */
export type Indexing = {
  indexed: IndexedChains
  progress(): readonly IndexProgress[]
  /** Starts to follow the chains. */
  begin(): void
  close(): Promise<void>
}

export type IndexingDependencies = {
  chains: readonly Chain[]
  database: Database
  bus: Bus
  pools: EndpointPools
  clock: Clock
  log: FastifyBaseLogger
  timing?: IndexTiming
}

const defaultTiming: IndexTiming = { poll: 1_000, lease: 10_000, maxDelay: 30_000, shutdown: 2_000 }

/** Opens the index of the chains that are configured for it. One process at a time indexes a chain. */
export async function openIndexing({
  chains,
  database,
  bus,
  pools,
  clock,
  log,
  timing = defaultTiming,
}: IndexingDependencies): Promise<Indexing> {
  await migrate(database.kysely, indexerMigrations, 'indexer')
  const store = createIndexStore(database)
  const opened = await Promise.all(
    chains.flatMap((chain) => (chain.index === undefined ? [] : [open(chain, chain.index.from)])),
  )
  const stopping = new AbortController()
  const running: Promise<void>[] = []

  async function open(chain: Chain, first: number) {
    const { caipNetworkId: caip, nativeCurrency: native, tokens } = chain
    const position = await store.open(caip, first)
    const rpc = createChainRpc(pools.get(chain))
    const changed = (concerned: readonly Hex[] | undefined, head: number): void =>
      publishIndexUpdate(bus, { chain: caip, concerned, head })
    const { chain: number, head, target } = position
    const progress: IndexProgress = { chain: caip, from: position.first, head, target, failing: false }
    const progressed = (reached: { head: number; target: number }): void => void Object.assign(progress, reached)
    const follower = followChain({ caip, rpc, store, log, first, changed, progressed })
    const readPosition = async (): Promise<void> => {
      const current = await store.open(caip, first)
      progressed({ head: current.head, target: current.target })
    }
    return { chain: number, caip, native, tokens, rpc, follower, progress, readPosition }
  }

  return {
    indexed: createIndexedChains(opened),
    progress: () => opened.map(({ progress }) => progress),
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
