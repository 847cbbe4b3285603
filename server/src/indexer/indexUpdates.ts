import type { Bus } from '../kit/bus/bus.ts'

/**
 * An update of the index: the addresses that changed on a chain, without a list any address, and the last indexed block.
 * If the addresses need several messages, only the last one has the block.
 */
export type IndexUpdate = { chain: string; concerned: readonly string[] | undefined; head?: number }

const channel = 'index'
/** The most addresses in one message, about 90 kB. */
const addressesPerMessage = 2_000

/** Publishes an update to all processes, in as many messages as its addresses need. */
export function publishIndexUpdate(bus: Bus, { chain, concerned, head }: IndexUpdate): void {
  if (concerned === undefined) return bus.publish(channel, { chain, concerned: null, head: head ?? null })
  const count = Math.max(head === undefined ? 0 : 1, Math.ceil(concerned.length / addressesPerMessage))
  for (let part = 0; part < count; part += 1) {
    const start = part * addressesPerMessage
    const addresses = concerned.slice(start, start + addressesPerMessage).join(',')
    bus.publish(channel, { chain, concerned: addresses, head: part === count - 1 ? (head ?? null) : null })
  }
}

/**
 * Subscribes to the updates of the index by any process.
 *
 * @returns a function that unsubscribes
 */
export function onIndexUpdate(bus: Bus, listener: (update: IndexUpdate) => void): () => void {
  const { stop } = bus.subscribe(channel, ({ chain, concerned, head }) => {
    listener({
      chain: String(chain),
      concerned: typeof concerned === 'string' ? concerned.split(',').filter((each) => each !== '') : undefined,
      head: typeof head === 'number' ? head : undefined,
    })
  })
  return stop
}
