import type { Listening } from './book.ts'

/** What clients listen on over connections to this process, each topic as often as there are connections. */
export type LiveTopics = {
  add(listening: Listening): void
  remove(listening: Listening): void
  of(client: string): readonly Listening[]
}

/** Makes an empty list. */
export function createLiveTopics(): LiveTopics {
  const counts = new Map<string, Map<string, number>>()

  function change({ client, topic }: Listening, by: number): void {
    const topics = counts.get(client) ?? new Map<string, number>()
    const count = (topics.get(topic) ?? 0) + by
    if (count > 0) counts.set(client, topics.set(topic, count))
    else if (topics.delete(topic) && topics.size === 0) counts.delete(client)
  }

  return {
    add: (listening) => change(listening, 1),
    remove: (listening) => change(listening, -1),
    of: (client) => [...(counts.get(client)?.keys() ?? [])].map((topic) => ({ client, topic })),
  }
}
