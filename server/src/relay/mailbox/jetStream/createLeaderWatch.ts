import type { Partition } from './openPartitions.ts'

/** Reads the bounds of streams, and notices when a stream has another leader. */
export type LeaderWatch<partition = Partition> = {
  /** Reads the bounds of a partition's stream. Rejects while it has no leader. */
  readBounds(partition: partition): Promise<{ first: number; last: number }>
}

/**
 * Creates a watch of the leaders of streams. Messages that a new leader has may have other sequences than those of the leader
 * before, if a server was killed.
 *
 * @param onChange called when a stream has another leader, or could not be read in the meantime
 */
export function createLeaderWatch<partition extends Pick<Partition, 'stream'>>(
  onChange: (partition: partition) => void,
): LeaderWatch<partition> {
  /** `failed` if the last attempt failed: the same server may have been restarted since. */
  const leaders = new Map<partition, { name: string | undefined; last: number } | 'failed'>()

  return {
    async readBounds(partition) {
      const known = leaders.get(partition)
      try {
        const { first, last, leader } = await partition.stream.bounds()
        leaders.set(partition, { name: leader, last })
        // A server that was restarted and elected between two reads lacks messages if the last sequence is lower.
        const isSame = known === undefined || (known !== 'failed' && known.name === leader && known.last <= last)
        if (!isSame) onChange(partition)
        return { first, last }
      } catch (error) {
        if (known !== undefined) leaders.set(partition, 'failed')
        throw error
      }
    },
  }
}
