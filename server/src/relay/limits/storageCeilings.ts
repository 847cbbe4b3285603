import type { Clock } from '../../kit/runtime/clock.ts'
import { storageFull } from '../errors.ts'

/** The origin of stored bytes: an address (IPv6 as its /64) and a project. Empty for messages from an upstream relay. */
export type StorageSource = { address: string; project: string }

/** Limits of the bytes of all stored messages, acknowledged ones included, until they expire. */
export type StorageLimits = {
  /** Of one IPv4 address or IPv6 /64. */
  bytesPerAddress: number
  /** Of one IPv6 /48. */
  bytesPerNetwork: number
  bytesPerProject: number
  /** Of all messages. */
  bytes: number
}

/** Limits the stored bytes by their origin, for all processes together. */
export type StorageCeilings = {
  /**
   * Reserves bytes until they expire.
   *
   * @param ttl seconds
   * @returns a function that releases them, because they were not stored
   * @throws RelayError `StorageLimitExceeded`
   */
  reserve(source: StorageSource, bytes: number, ttl: number): () => void
  /** Stops the exchange with the database, after a last one. */
  close(): Promise<void>
}

export type StorageScope = 'address' | 'network' | 'project' | 'total'
/** A change of the stored bytes that end at a time. */
export type StorageChange = { scope: StorageScope; key: string; endsAt: number; bytes: number }
export type StorageKey = Pick<StorageChange, 'scope' | 'key'>

/** The sums that all processes share. */
export type StoredBytes = {
  add(changes: readonly StorageChange[]): Promise<void>
  /** Sums the bytes of keys that have not ended, in the order of the keys. */
  sum(keys: readonly StorageKey[], now: number): Promise<readonly number[]>
  deleteEnded(now: number): Promise<void>
}

export type StorageCeilingsOptions = {
  stored: StoredBytes
  limits: StorageLimits
  clock: Clock
  onFault(error: unknown): void
}

/** Bytes of a message in addition to its text: its row, its index entries and its acknowledgements. */
const overheadBytes = 512
const exchangeIntervalMs = 1_000
/** A key without changes is dropped after this many exchanges. */
const maxIdleExchanges = 60

type Estimate = StorageKey & {
  limit: number
  /** The shared sum, and the changes that it does not contain yet, by the time at which they end. */
  shared: number
  changes: Map<number, number>
  changed: number
  idleExchanges: number
}

/**
 * Creates the ceilings. Publishing only adds up in memory; the sums are exchanged with the other processes every second,
 * which is how far a limit may be exceeded.
 */
export function createStorageCeilings(options: StorageCeilingsOptions): StorageCeilings {
  const { limits, clock } = options
  const estimates = new Map<string, Estimate>()
  const exchange = createExchange(options, estimates)
  const timer = setInterval(() => void exchange(), exchangeIntervalMs)

  function estimate(scope: StorageScope, key: string, limit: number): Estimate {
    const name = `${scope} ${key}`
    const existing = estimates.get(name)
    if (existing !== undefined) return existing
    const created = { scope, key, limit, shared: 0, changes: new Map(), changed: 0, idleExchanges: 0 }
    estimates.set(name, created)
    return created
  }

  function listEstimates({ address, project }: StorageSource): readonly Estimate[] {
    const list = [estimate('total', '', limits.bytes)]
    if (address !== '') list.push(estimate('address', address, limits.bytesPerAddress))
    if (address.includes(':')) list.push(estimate('network', toNetwork(address), limits.bytesPerNetwork))
    if (project !== '') list.push(estimate('project', project, limits.bytesPerProject))
    return list
  }

  // The sum of all messages is known before the first one.
  listEstimates({ address: '', project: '' })
  void exchange()

  return {
    reserve(source, bytes, ttl) {
      const size = bytes + overheadBytes
      const affected = listEstimates(source)
      if (affected.some(({ shared, changed, limit }) => shared + changed + size > limit)) throw storageFull()
      const endsAt = toEnd(clock.now(), ttl)
      for (const each of affected) addChange(each, endsAt, size)
      return () => affected.forEach((each) => addChange(each, endsAt, -size))
    },
    async close() {
      clearInterval(timer)
      // The first one may have started before the latest changes.
      await exchange()
      await exchange()
    },
  }
}

function addChange(estimate: Estimate, endsAt: number, bytes: number): void {
  estimate.changes.set(endsAt, (estimate.changes.get(endsAt) ?? 0) + bytes)
  estimate.changed += bytes
  estimate.idleExchanges = 0
}

/** Creates a function that adds the changes of this process to the shared sums, and reads these. */
function createExchange(
  { stored, clock, onFault }: StorageCeilingsOptions,
  estimates: Map<string, Estimate>,
): () => Promise<void> {
  let running: Promise<void> | undefined

  async function exchange(): Promise<void> {
    const list = [...estimates.values()]
    const changes = list.flatMap(({ scope, key, changes: byEnd }) =>
      [...byEnd].map(([endsAt, bytes]) => ({ scope, key, endsAt, bytes })),
    )
    await stored.add(changes)
    for (const { scope, key, endsAt, bytes } of changes) {
      const estimate = estimates.get(`${scope} ${key}`)
      if (estimate === undefined) continue
      addChange(estimate, endsAt, -bytes)
      if (estimate.changes.get(endsAt) === 0) estimate.changes.delete(endsAt)
      estimate.shared += bytes
    }
    const sums = await stored.sum(list, clock.now())
    list.forEach((estimate, index) => (estimate.shared = sums[index] ?? 0))
    forgetIdle(estimates, new Set(changes.map(({ scope, key }) => `${scope} ${key}`)))
    await stored.deleteEnded(clock.now())
  }

  return () => {
    // If the database is unreachable or slow, the changes wait for the next exchange.
    running ??= exchange()
      .catch(onFault)
      .finally(() => (running = undefined))
    return running
  }
}

function forgetIdle(estimates: Map<string, Estimate>, changedNames: ReadonlySet<string>): void {
  for (const [name, estimate] of estimates) {
    estimate.idleExchanges = changedNames.has(name) ? 0 : estimate.idleExchanges + 1
    if (estimate.idleExchanges > maxIdleExchanges && estimate.changes.size === 0 && estimate.scope !== 'total') {
      estimates.delete(name)
    }
  }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Rounds the end of a message up, so that a key has at most some seventy of them. */
function toEnd(now: number, ttl: number): number {
  const ttlMs = ttl * 1_000
  const step = ttlMs <= hourMs ? 5 * minuteMs : ttlMs <= dayMs ? hourMs : dayMs
  return Math.ceil((now + ttlMs) / step) * step
}

/** The /48 of the /64 of an IPv6 address, which one customer may have as a whole. */
function toNetwork(address: string): string {
  return `${address.split(':').slice(0, 3).join(':')}::/48`
}
