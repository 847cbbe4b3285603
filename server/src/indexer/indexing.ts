import { randomUUID } from 'node:crypto'
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
import { followChain, type ChainFollower } from './followChain.ts'
import { indexerMigrations } from '../schema/indexerMigrations.ts'
import { createIndexStore, type IndexStore } from './indexStore.ts'

/** An update of the index: the addresses that changed on a chain. Without a list any address may have changed. */
export type IndexUpdate = { chain: string; concerned: readonly string[] | undefined }

const channel = 'index'
/** Updates with more addresses are published without a list. */
const namedLimit = 2_000

/**
 * Subscribes to the updates of the index by any process.
 *
 * @returns a function that unsubscribes
 */
export function onIndexUpdate(bus: Bus, listener: (update: IndexUpdate) => void): () => void {
  const { stop } = bus.subscribe(channel, ({ chain, concerned }) => {
    listener({
      chain: String(chain),
      concerned: typeof concerned === 'string' ? concerned.split(',').filter((each) => each !== '') : undefined,
    })
  })
  return stop
}

/** Progress of the index of a chain. */
export type IndexProgress = { chain: string; head: number; target: number; failing: boolean }

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
}

/** Milliseconds between polls, of a lease without renewal, of the longest delay after failures, and for pending work at shutdown. */
const timing = { poll: 1_000, lease: 10_000, maxDelay: 30_000, shutdown: 2_000 } as const

/** Opens the index of the chains that are configured for it. One process at a time indexes a chain. */
export async function openIndexing({
  chains,
  database,
  bus,
  pools,
  clock,
  log,
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
    const { chain: number, head } = await store.open(caip, first)
    const rpc = createChainRpc(pools.get(chain))
    const changed = (all: readonly Hex[] | undefined): void => {
      const concerned = all === undefined || all.length > namedLimit ? null : all.join(',')
      bus.publish(channel, { chain: caip, concerned })
    }
    const follower = followChain({ caip, rpc, store, log, first, changed })
    const progress: IndexProgress = { chain: caip, head, target: head, failing: false }
    return { chain: number, caip, native, tokens, rpc, follower, progress }
  }

  return {
    indexed: createIndexedChains(opened),
    progress: () => opened.map(({ progress }) => progress),
    begin: () =>
      void running.push(...opened.map((each) => keepUp(each, { store, clock, log, signal: stopping.signal }))),
    async close() {
      stopping.abort()
      // A slow node must not delay the shutdown. Writes are atomic.
      await Promise.race([Promise.allSettled(running), pause(timing.shutdown)])
    },
  }
}

type FollowedChain = { chain: number; caip: string; follower: ChainFollower; progress: IndexProgress }
type FollowOptions = { store: IndexStore; clock: Clock; log: FastifyBaseLogger; signal: AbortSignal }

async function keepUp({ chain, caip, follower, progress }: FollowedChain, options: FollowOptions): Promise<void> {
  const { store, clock, log, signal } = options
  const processId = randomUUID()
  for (let failures = 0; !signal.aborted;) {
    try {
      const hasLease = await store.lead(chain, processId, clock.now(), clock.now() + timing.lease)
      if (hasLease) Object.assign(progress, await follower.catchUp(signal))
      if (failures > 0) log.info({ chain: caip }, 'the chain is indexed again')
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1) log.warn({ chain: caip, reason: reasonOf(error) }, 'the chain cannot be indexed now')
    }
    progress.failing = failures > 0
    await pause(failures === 0 ? timing.poll : Math.min(timing.poll * 2 ** failures, timing.maxDelay), signal)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
