import type { Bus } from '../../kit/bus/bus.ts'

const channel = 'index-address'

/** Tells the process that indexes a chain about a new address. */
export function publishAddressRequest(bus: Bus, caip: string): void {
  bus.publish(channel, { chain: caip })
}

/**
 * Subscribes to the new addresses of a chain.
 *
 * @returns a function that unsubscribes
 */
export function onAddressRequest(bus: Bus, caip: string, listener: () => void): () => void {
  const { stop } = bus.subscribe(channel, ({ chain }) => {
    if (chain === caip) listener()
  })
  return stop
}
