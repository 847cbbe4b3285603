import type { WatchedSubscription } from './watchStore.ts'

/** The topics that clients are subscribed to over connections to this process. */
export type ActiveTopics = {
  add(subscription: WatchedSubscription): void
  remove(subscription: WatchedSubscription): void
  list(client: string): readonly WatchedSubscription[]
}

/** Creates an empty list, which counts the connections of each client and topic. */
export function createActiveTopics(): ActiveTopics {
  const counts = new Map<string, Map<string, number>>()

  function change({ client, topic }: WatchedSubscription, by: number): void {
    const topics = counts.get(client) ?? new Map<string, number>()
    const count = (topics.get(topic) ?? 0) + by
    if (count > 0) counts.set(client, topics.set(topic, count))
    else if (topics.delete(topic) && topics.size === 0) counts.delete(client)
  }

  return {
    add: (subscription) => change(subscription, 1),
    remove: (subscription) => change(subscription, -1),
    list: (client) => [...(counts.get(client)?.keys() ?? [])].map((topic) => ({ client, topic })),
  }
}
