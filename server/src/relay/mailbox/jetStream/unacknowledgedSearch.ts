import type { Clock } from '../../../kit/runtime/clock.ts'
import type { MailboxPosition } from '../mailbox.ts'
import { formatMessageKey, parseMessageHeader, parseReceiptHeader } from './messageHeader.ts'
import type { LeaderWatch } from './createLeaderWatch.ts'
import { findReadEnd } from './findReadEnd.ts'
import { formatPosition, parsePosition } from './formatPosition.ts'
import { toTopic, type Partition, type Partitions } from './openPartitions.ts'

/** Searches the streams for messages without a receipt. */
export type UnacknowledgedSearch = {
  find(after?: MailboxPosition): Promise<{ topics: readonly string[]; last: MailboxPosition }>
}

export type UnacknowledgedSearchOptions = {
  partitions: Pick<Partitions, 'all'>
  leaders: LeaderWatch
  clock: Clock
  /** Receipts of the bridge do not count. */
  bridgeReceiver: string
}

/** A message counts as unacknowledged after this time. */
const acknowledgementTimeoutMs = 2_000
const entriesPerRead = 5_000

/** Creates a search. Its position is a list of the last sequences that were checked, one of each stream. */
export function createUnacknowledgedSearch(options: UnacknowledgedSearchOptions): UnacknowledgedSearch {
  const { partitions, leaders, clock, bridgeReceiver } = options

  async function searchPartition(
    partition: Partition,
    after: number,
  ): Promise<{ topics: ReadonlySet<string>; last: number }> {
    const { stream, allSubjects } = partition
    const { last: end } = await leaders.readBounds(partition)
    if (end <= after) return { topics: new Set(), last: after }
    const entries = await stream.readHeaders(allSubjects, after + 1, entriesPerRead)
    const youngest = clock.now() - acknowledgementTimeoutMs
    const topics = new Map<number, string>()
    const sequences = new Map<string, number>()
    let firstYoung: number | undefined
    for (const { sequence, subject, header } of entries) {
      const message = parseMessageHeader(header)
      if (message !== undefined && message.publishedAt > youngest) firstYoung ??= sequence
      else if (message !== undefined && firstYoung === undefined) {
        topics.set(sequence, toTopic(subject))
        sequences.set(formatMessageKey(message), sequence)
      }
      for (const receipt of parseReceiptHeader(header)?.receipts ?? []) {
        if (receipt.receiver === bridgeReceiver) continue
        // The message may have another sequence than when it was delivered.
        const place =
          receipt.message === undefined ? receipt.sequence : sequences.get(formatMessageKey(receipt.message))
        if (place !== undefined) topics.delete(place)
      }
    }
    const last = firstYoung === undefined ? await findReadEnd(partition, entries, { after, last: end }) : firstYoung - 1
    return { topics: new Set(topics.values()), last: Math.max(after, last) }
  }

  return {
    async find(after) {
      if (after === undefined) {
        const bounds = await Promise.all(partitions.all.map(leaders.readBounds))
        return { topics: [], last: formatPosition(bounds.map(({ last }) => last)) }
      }
      const positions = parsePosition(after, partitions.all.length)
      const results = await Promise.allSettled(
        partitions.all.map((partition, index) => searchPartition(partition, positions[index] ?? 0)),
      )
      const found = results.map((result, index) =>
        result.status === 'fulfilled' ? result.value : { topics: new Set<string>(), last: positions[index] ?? 0 },
      )
      const failed = results.find(({ status }) => status === 'rejected')
      // A stream that cannot be read at the moment does not delay the others. The next search starts at its old position.
      if (failed?.status === 'rejected' && found.every(({ topics }) => topics.size === 0)) throw failed.reason
      return {
        topics: found.flatMap(({ topics }) => [...topics]),
        last: formatPosition(found.map(({ last }) => last)),
      }
    },
  }
}
