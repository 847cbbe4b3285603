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
 * Compares entries that some replica delivered with those of the leader. A server that was killed may number its entries
 * differently from then on (seen with version 2.9.10), so it is enough to compare the last entry that still exists.
 *
 * @returns false if the replica differs, or has entries that the leader lacks
 * @example if (!(await agreesWithLeader(entries, leader))) throw new Error('read them again')
 */
export async function agreesWithLeader(entries: readonly ComparedEntry[], leader: LeaderReads): Promise<boolean> {
  for (const entry of entries.toReversed()) {
    const own = await leader.read(entry.sequence)
    if (own !== undefined) return own.subject === entry.subject && own.header === entry.header
    // Another process may have deleted an expired entry since it was read.
    if (entry.sequence > (await leader.last())) return false
  }
  return true
}
