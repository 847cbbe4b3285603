/** A message that a consumer delivered. */
export type ConsumedMessage<entry> = {
  /** Its place among the deliveries of the consumer, from 1 on. */
  place: number
  /** The messages that the consumer has yet to deliver. */
  pending: number
  entry: entry
}

/**
 * Collects the messages that a consumer without acknowledgements delivers. It delivers each once, so a message that is lost
 * with a connection, or that comes after the fetch has ended, would be missing without notice.
 *
 * @param limit the most messages to collect
 * @returns the messages, and false if the last ones may be missing
 * @throws Error if another one is missing
 * @example const { entries, isComplete } = await collectEntries(messages, 100)
 */
export async function collectEntries<entry>(
  messages: AsyncIterable<ConsumedMessage<entry>>,
  limit: number,
): Promise<{ entries: readonly entry[]; isComplete: boolean }> {
  const entries: entry[] = []
  for await (const { place, pending, entry } of messages) {
    if (place !== entries.length + 1) throw new Error('the stream did not deliver a message that was read')
    entries.push(entry)
    if (pending === 0 || entries.length === limit) return { entries, isComplete: true }
  }
  return { entries, isComplete: false }
}
