import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../kit/runtime/clock.ts'
import { pause } from '../kit/runtime/pause.ts'
import type { ChainIndexer } from './followChain.ts'
import { LeaseLostError, type IndexStore } from './indexStore.ts'

/** Milliseconds between polls, of a lease without renewal, of the longest delay after failures, and for pending work at shutdown. */
export type IndexTiming = { poll: number; lease: number; maxDelay: number; shutdown: number }

/** Number of times that a lease is renewed during its term. */
const renewalsPerLease = 3
const maxCauses = 4

/** The lease of a chain, as far as this process knows. It is renewed well before its end, and not in each round. */
export type IndexLease = { isHeld: boolean; current?: { term: number; renewFrom: number } | undefined }

/** A chain that is indexed while the server runs. */
export type FollowedChain = {
  chain: number
  caip: string
  indexer: ChainIndexer
  progress: { failing: boolean }
  lease: IndexLease
  /** Reads the progress of the process that holds the lease. */
  readPosition(): Promise<void>
  /** Waits for the next poll, or until there is work. Waits for the time only if omitted. */
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>
}
export type KeepIndexedOptions = {
  store: IndexStore
  clock: Clock
  log: FastifyBaseLogger
  timing: IndexTiming
  signal: AbortSignal
}

/** Indexes a chain whenever this process holds its lease, until the abort. */
export async function keepIndexed(followed: FollowedChain, options: KeepIndexedOptions): Promise<void> {
  const { caip, progress, wait = pause } = followed
  const { log, timing, signal } = options
  const processId = randomUUID()
  for (let failures = 0; !signal.aborted;) {
    try {
      await catchUpWithLease(followed, processId, options)
      if (failures > 0) log.info({ chain: caip }, 'the chain is indexed again')
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1) log.warn({ chain: caip, reason: describeCauses(error) }, 'the chain cannot be indexed now')
    }
    progress.failing = failures > 0
    if (failures === 0) await wait(timing.poll, signal)
    else await pause(Math.min(timing.poll * 2 ** failures, timing.maxDelay), signal)
  }
}

/** Indexes the chain if this process gets the lease, which is renewed until the end. */
async function catchUpWithLease(
  { chain, indexer, readPosition, lease }: FollowedChain,
  processId: string,
  { store, clock, log, timing, signal }: KeepIndexedOptions,
): Promise<void> {
  const renewEvery = timing.lease / renewalsPerLease
  const lead = async (): Promise<number | undefined> => {
    const now = clock.now()
    const acquired = await store.lead(chain, processId, now, now + timing.lease)
    lease.current = acquired === undefined ? undefined : { term: acquired, renewFrom: now + renewEvery }
    return acquired
  }
  const { current } = lease
  const acquired = current !== undefined && clock.now() < current.renewFrom ? current.term : await lead()
  lease.isHeld = acquired !== undefined
  if (acquired === undefined) return readPosition()
  const term: number = acquired
  const finished = new AbortController()
  const lost = new AbortController()
  const renew = async (): Promise<void> => {
    for (;;) {
      await pause(renewEvery, finished.signal)
      if (finished.signal.aborted) return
      // A database that is briefly unreachable does not end the lease; the term protects the index.
      const renewed = await lead().catch(() => term)
      if (renewed !== term) return lost.abort()
    }
  }
  const renewal = renew()
  try {
    await indexer.catchUp(AbortSignal.any([signal, lost.signal]), term)
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    lease.isHeld = false
    lease.current = undefined
    log.info({ chain }, 'another process took over the index of the chain')
  } finally {
    finished.abort()
    await renewal
  }
}

/** Joins the messages of an error and its causes. */
function describeCauses(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each instanceof Error && messages.length < maxCauses; each = each.cause) {
    messages.push(each.message)
  }
  return messages.length === 0 ? String(error) : messages.join(' ')
}
