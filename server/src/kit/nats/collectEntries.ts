/** A message that a consumer delivered, with its place among the deliveries of that consumer, from 1 on. */
export type ConsumedMessage<entry> = { place: number; entry: entry }

/**
 * Collects the messages that a consumer without acknowledgements delivers. It delivers each once, so a message that is lost
 * with a connection, or that comes after the fetch has ended, would be missing without notice.
 *
 * @param count the messages that the consumer has to deliver
 * @throws Error if one of them is missing
 * @example const entries = await collectEntries(messages, 2)
 */
export async function collectEntries<entry>(
  messages: AsyncIterable<ConsumedMessage<entry>>,
  count: number,
): Promise<readonly entry[]> {
  const entries: entry[] = []
  for await (const { place, entry } of messages) {
    if (place !== entries.length + 1) throw new Error('the stream did not deliver a message that was read')
    entries.push(entry)
  }
  if (entries.length < count) throw new Error('the stream delivered fewer messages than it has')
  return entries
}
