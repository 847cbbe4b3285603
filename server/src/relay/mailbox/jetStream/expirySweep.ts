import type { Clock } from '../../../kit/runtime/clock.ts'
import type { NatsStream, StreamEntry } from '../../../kit/nats/natsStream.ts'
import { parseMessageHeader, readExpiry } from './messageHeader.ts'
import type { Partition, Partitions } from './openPartitions.ts'

/** Deletes expired entries of the streams, because this version of the server has no expiry per message. */
export type ExpirySweep = {
  /** Deletes expired messages and receipts. @returns the number of messages */
  run(): Promise<number>
}

export type ExpirySweepOptions = {
  partitions: Pick<Partitions, 'all'>
  clock: Clock
}

/** Entries of neighbouring sequences, which are read together. */
const rangeSize = 1_024
/** The most ranges of a partition that one run reads. The next run continues. */
const maxRanges = 20
/** Entries that are deleted at the same time. */
const concurrentDeletions = 32

/** The earliest end of the entries of a range, in milliseconds since 1970. */
type Ranges = { ends: Map<number, number>; next: number }

/**
 * Creates a sweep. It remembers the earliest end of each thousand entries, and reads their headers again only when it has
 * come. So each entry is read a few times in its life, and the memory is some bytes for a thousand of them.
 */
export function createExpirySweep({ partitions, clock }: ExpirySweepOptions): ExpirySweep {
  const ranges = new Map<Partition, Ranges>(partitions.all.map((each) => [each, { ends: new Map(), next: 1 }]))

  async function sweepPartition(partition: Partition): Promise<number> {
    const known = ranges.get(partition)
    if (known === undefined) return 0
    const { first, last } = await partition.stream.bounds()
    known.next = Math.max(known.next, first)
    for (const range of known.ends.keys()) if ((range + 1) * rangeSize <= first) known.ends.delete(range)
    const now = clock.now()
    const due = [...known.ends].filter(([, end]) => end <= now).map(([range]) => range)
    let deleted = 0
    for (const range of due.toSorted((one, other) => one - other).slice(0, maxRanges)) {
      deleted += await sweepRange(partition, known, { from: range * rangeSize, to: (range + 1) * rangeSize })
    }
    for (let count = due.length; count < maxRanges && known.next <= last; count += 1) {
      const to = (Math.floor(known.next / rangeSize) + 1) * rangeSize
      deleted += await sweepRange(partition, known, { from: known.next, to })
      known.next = Math.min(to, last + 1)
    }
    return deleted
  }

  async function sweepRange(
    { stream, allSubjects }: Partition,
    known: Ranges,
    { from, to }: { from: number; to: number },
  ): Promise<number> {
    const now = clock.now()
    const read = await stream.readHeaders(allSubjects, from, rangeSize)
    const entries = read.filter(({ sequence }) => sequence < to)
    const expired = entries.filter(({ header }) => readExpiry(header) <= now)
    await deleteEntries(stream, entries, expired)
    const range = Math.floor(from / rangeSize)
    const ends = entries.map(({ header }) => readExpiry(header)).filter((end) => end > now)
    const isPart = from % rangeSize > 0
    const earliest = Math.min(...ends, isPart ? (known.ends.get(range) ?? Infinity) : Infinity)
    if (earliest === Infinity) known.ends.delete(range)
    else known.ends.set(range, earliest)
    return expired.filter(({ header }) => parseMessageHeader(header) !== undefined).length
  }

  return {
    async run() {
      let deleted = 0
      const failures: unknown[] = []
      // A stream that cannot be read at the moment does not stop the sweep of the others.
      for (const partition of partitions.all) {
        deleted += await sweepPartition(partition).catch((error: unknown) => {
          failures.push(error)
          return 0
        })
      }
      if (failures.length > 0) throw failures[0]
      return deleted
    },
  }
}

/** Deletes the expired entries among those of a range. If they are the oldest of the stream, one request deletes them. */
async function deleteEntries(
  stream: NatsStream,
  entries: readonly StreamEntry[],
  expired: readonly StreamEntry[],
): Promise<void> {
  if (expired.length === 0) return
  const { first } = await stream.bounds()
  const doomed = new Set(expired)
  const firstKept = entries.findIndex((entry) => !doomed.has(entry))
  const prefix = firstKept === -1 ? entries : entries.slice(0, firstKept)
  const lastOfPrefix = prefix.at(-1)
  let rest = expired
  if (lastOfPrefix !== undefined && prefix[0]?.sequence === first) {
    await stream.deleteBefore(lastOfPrefix.sequence + 1)
    rest = expired.slice(prefix.length)
  }
  for (let start = 0; start < rest.length; start += concurrentDeletions) {
    const group = rest.slice(start, start + concurrentDeletions)
    await Promise.all(group.map(({ sequence }) => stream.delete(sequence)))
  }
}
