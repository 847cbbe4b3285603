/** The parts of an entry that two replicas are compared by. */
type ComparedEntry = { readonly sequence: number; readonly subject: string; readonly header: string }

/** Reads from the leader of a stream. */
export type LeaderReads = {
  /** `undefined` for a sequence without an entry. */
  read(sequence: number): Promise<ComparedEntry | undefined>
  /** The last sequence of the stream. */
  last(): Promise<number>
}

/**
 * Asserts that entries that some replica delivered are those of the leader. A server that was killed may number its entries
 * differently from then on (seen with version 2.9.10), so it is enough to compare the last entry that still exists.
 *
 * @throws Error if the replica differs, or has entries that the leader lacks
 * @example await assertLeaderAgrees(entries, leader)
 */
export async function assertLeaderAgrees(entries: readonly ComparedEntry[], leader: LeaderReads): Promise<void> {
  for (const entry of entries.toReversed()) {
    const own = await leader.read(entry.sequence)
    if (own !== undefined && own.subject === entry.subject && own.header === entry.header) return
    // Another process may have deleted an expired entry since it was read.
    if (own !== undefined || entry.sequence > (await leader.last())) {
      throw new Error('a replica of the stream has other entries than its leader')
    }
  }
}
