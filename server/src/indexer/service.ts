import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../kit/bus.ts'
import { createChainRpc } from '../kit/chainRpc.ts'
import type { Chain } from '../kit/chains.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import { pause } from '../kit/pause.ts'
import type { Pools } from '../kit/pools.ts'
import { migrate } from '../kit/migrations.ts'
import type { Hex } from './block.ts'
import { createIndexedChains, type IndexedChains } from './chains.ts'
import { followChain, type Follower } from './follow.ts'
import { indexerMigrations } from './migrations.ts'
import { createIndexStore, type IndexStore } from './store.ts'

/** What news of the index says: whose accounts changed on a chain; everybody's may have where nobody is named. */
export type IndexNews = { chain: string; concerned: readonly string[] | undefined }

const channel = 'index'
/** With more than this, everybody may as well be told. */
const namedLimit = 2_000

/** Follows the news of the index, from whichever process it comes; returns what stops it. */
export function onIndexNews(bus: Bus, listener: (news: IndexNews) => void): () => void {
  const { stop } = bus.subscribe(channel, ({ chain, concerned }) => {
    listener({
      chain: String(chain),
      concerned: typeof concerned === 'string' ? concerned.split(',').filter((each) => each !== '') : undefined,
    })
  })
  return stop
}

/** How far a chain is indexed. */
export type Progress = { chain: string; head: number; target: number; failing: boolean }

/** The index at work. */
export type Indexing = {
  indexed: IndexedChains
  progress(): readonly Progress[]
  /** Begins to follow the chains. */
  begin(): void
  close(): Promise<void>
}

export type IndexingParts = {
  chains: readonly Chain[]
  database: Database
  bus: Bus
  pools: Pools
  clock: Clock
  log: FastifyBaseLogger
}

/**
 * Milliseconds: between two looks at a chain, how long a process may lead without a word, the longest wait after a
 * failure, and how long stopping waits for what is under way.
 */
const patience = { look: 1_000, lead: 10_000, worst: 30_000, stop: 2_000 } as const

/** Opens the index of the chains that are configured for it. Of several processes one indexes each chain. */
export async function openIndexing({ chains, database, bus, pools, clock, log }: IndexingParts): Promise<Indexing> {
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
    const rpc = createChainRpc(pools.of(chain))
    const changed = (all: readonly Hex[] | undefined): void => {
      const concerned = all === undefined || all.length > namedLimit ? null : all.join(',')
      bus.publish(channel, { chain: caip, concerned })
    }
    const follower = followChain({ caip, rpc, store, log, first, changed })
    const progress: Progress = { chain: caip, head, target: head, failing: false }
    return { chain: number, caip, native, tokens, rpc, follower, progress }
  }

  return {
    indexed: createIndexedChains(opened),
    progress: () => opened.map(({ progress }) => progress),
    begin: () =>
      void running.push(...opened.map((each) => keepUp(each, { store, clock, log, signal: stopping.signal }))),
    async close() {
      stopping.abort()
      // A node may keep us waiting for longer than a server may take to stop; what is written is written whole.
      await Promise.race([Promise.allSettled(running), pause(patience.stop)])
    },
  }
}

type Followed = { chain: number; caip: string; follower: Follower; progress: Progress }
type Surroundings = { store: IndexStore; clock: Clock; log: FastifyBaseLogger; signal: AbortSignal }

async function keepUp({ chain, caip, follower, progress }: Followed, around: Surroundings): Promise<void> {
  const { store, clock, log, signal } = around
  const me = randomUUID()
  for (let failures = 0; !signal.aborted;) {
    try {
      const leading = await store.lead(chain, me, clock.now(), clock.now() + patience.lead)
      if (leading) Object.assign(progress, await follower.catchUp(signal))
      if (failures > 0) log.info({ chain: caip }, 'the chain is indexed again')
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1) log.warn({ chain: caip, reason: reasonOf(error) }, 'the chain cannot be indexed now')
    }
    progress.failing = failures > 0
    await pause(failures === 0 ? patience.look : Math.min(patience.look * 2 ** failures, patience.worst), signal)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
