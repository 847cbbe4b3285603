import type { StreamEntry } from '../../../kit/nats/natsStream.ts'
import type { Partition } from './openPartitions.ts'

/**
 * Finds the sequence up to which a read of all entries has seen a stream.
 *
 * @param entries what was read
 * @param range the sequence after which the read began, and the last one of the stream
 * @throws Error if nothing was read because the replica that responded is behind
 */
export async function findReadEnd(
  { stream, allSubjects }: Pick<Partition, 'stream' | 'allSubjects'>,
  entries: readonly StreamEntry[],
  { after, last }: { after: number; last: number },
): Promise<number> {
  const read = entries.at(-1)?.sequence
  if (read !== undefined) return read
  if ((await stream.readNext(allSubjects, after + 1)) === undefined) return last
  throw new Error('the replica that responded is behind the leader of the stream')
}
