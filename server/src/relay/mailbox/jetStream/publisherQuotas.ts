import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { NatsStream } from '../../../kit/nats/natsStream.ts'

/** The undelivered bytes of each publisher, which all processes add up. Publishers are named by their hash. */
export type PublisherQuotas = {
  /**
   * Reserves the bytes of a message.
   *
   * @param expiresAt milliseconds since 1970
   * @returns false if the publisher has reached its limit
   */
  reserve(publisher: string, bytes: number, expiresAt: number): Promise<boolean>
  /** Gives back the bytes of a message that was not stored, or was acknowledged. */
  release(publisher: string, bytes: number, expiresAt: number): void
  /** Writes all changes. */
  flush(): Promise<void>
}

export type PublisherQuotasOptions = {
  records: Pick<NatsStream, 'readNext' | 'append'>
  recordSubject(name: string): string
  clock: Clock
  bytesPerPublisher: number
}

type Quota = {
  /** The sum of all processes, by the time at which messages end, and the changes that it does not contain yet. */
  shared: Map<number, number>
  changes: Map<number, number>
  /** Settles when the record was read. */
  loaded: Promise<void>
}

/** A record is written once this part of the limit has changed, which is how far each process may exceed it. */
const exchangedPart = 64
const flushIntervalMs = 10_000
const maxPublishers = 20_000
const maxAttempts = 20
const minuteMs = 60_000

/** Creates the quotas of a mailbox. */
export function createPublisherQuotas(options: PublisherQuotasOptions): PublisherQuotas {
  const { records, recordSubject, clock, bytesPerPublisher } = options
  const quotas = new LRUCache<string, Quota>({ max: maxPublishers })
  /** Quotas with changes, so that none is evicted with them. */
  const changed = new Map<string, Quota>()
  let writing = Promise.resolve()
  setInterval(() => void flush().catch(() => undefined), flushIntervalMs).unref()

  function find(publisher: string): Quota {
    const existing = quotas.get(publisher) ?? changed.get(publisher)
    if (existing !== undefined) return existing
    const quota: Quota = { shared: new Map(), changes: new Map(), loaded: Promise.resolve() }
    quota.loaded = records.readNext(recordSubject(`publisher.${publisher}`), 1).then(
      (entry) => void (quota.shared = parseSums(entry?.payload)),
      // A limit that can't be read now must not stop the messages of a client.
      () => void quotas.delete(publisher),
    )
    quotas.set(publisher, quota)
    return quota
  }

  function change(publisher: string, bytes: number, expiresAt: number): void {
    const quota = find(publisher)
    addTo(quota.changes, roundEnd(expiresAt), bytes)
    changed.set(publisher, quota)
    const pending = [...quota.changes.values()].reduce((sum, each) => sum + Math.abs(each), 0)
    if (pending * exchangedPart > bytesPerPublisher) void flush().catch(() => undefined)
  }

  async function flushOnce(): Promise<void> {
    for (const [publisher, quota] of changed) {
      await writeQuota(options, publisher, quota)
      if (quota.changes.size === 0) changed.delete(publisher)
    }
  }

  function flush(): Promise<void> {
    writing = writing.catch(() => undefined).then(flushOnce)
    return writing
  }

  return {
    async reserve(publisher, bytes, expiresAt) {
      const quota = find(publisher)
      await quota.loaded
      if (sumFrom(quota, clock.now()) + bytes > bytesPerPublisher) return false
      change(publisher, bytes, expiresAt)
      return true
    },
    release: (publisher, bytes, expiresAt) => change(publisher, -bytes, expiresAt),
    flush,
  }
}

/** Adds the changes of a quota to its record. */
async function writeQuota(
  { records, recordSubject, clock }: PublisherQuotasOptions,
  publisher: string,
  quota: Quota,
): Promise<void> {
  const subject = recordSubject(`publisher.${publisher}`)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const entry = await records.readNext(subject, 1)
    const written = [...quota.changes]
    const sums = parseSums(entry?.payload)
    for (const [end, bytes] of written) addTo(sums, end, bytes)
    // A sum may be negative until the process that stored the messages has written its changes.
    for (const end of sums.keys()) if (end <= clock.now()) sums.delete(end)
    const payload = JSON.stringify([...sums])
    const append = { subject, header: 'publisher', payload, expectedLast: entry?.sequence ?? 0 }
    if ((await records.append(append)).outcome === 'conflict') continue
    for (const [end, bytes] of written) addTo(quota.changes, end, -bytes)
    quota.shared = sums
    return
  }
}

function sumFrom({ shared, changes }: Quota, now: number): number {
  let sum = 0
  for (const [end, bytes] of shared) if (end > now) sum += bytes
  for (const [end, bytes] of changes) if (end > now) sum += bytes
  return sum
}

function addTo(sums: Map<number, number>, end: number, bytes: number): void {
  const sum = (sums.get(end) ?? 0) + bytes
  if (sum === 0) sums.delete(end)
  else sums.set(end, sum)
}

/** Rounds up to five minutes, so that a record has few sums. */
function roundEnd(expiresAt: number): number {
  return Math.ceil(expiresAt / (5 * minuteMs)) * 5 * minuteMs
}

function parseSums(payload: Buffer | undefined): Map<number, number> {
  if (payload === undefined) return new Map()
  // Only `write` appends these records.
  return new Map(JSON.parse(payload.toString()) as [number, number][])
}
