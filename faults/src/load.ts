import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer } from './peer.ts'
import type { Random } from './random.ts'

/** A running load. */
export type Load = {
  /** Stops the load after every publisher has finished its current message, without a timeout. */
  stop(): Promise<void>
}

export type LoadOptions = {
  publishers: readonly Peer[]
  /** Every publisher publishes on all of these topics concurrently, and sequentially on each topic. */
  topics: readonly string[]
  /** The pause between two messages of one publisher on one topic, in milliseconds. */
  pause: { least: number; most: number }
  random: Random
}

/** Starts publishers, which publish until the load is stopped. */
export function startLoad({ publishers, topics, pause, random }: LoadOptions): Load {
  const stopping = new AbortController()
  const { signal } = stopping
  setMaxListeners(0, signal)

  async function work(publisher: Peer, topic: string, lane: number): Promise<void> {
    for (let count = 0; !signal.aborted; count += 1) {
      // Random, so that the publishers are not synchronized.
      await sleep(random.between(pause.least, pause.most), undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await publisher.publish(topic, `${publisher.name} ${lane} ${count}`)
    }
  }

  const working = publishers.flatMap((publisher) => topics.map((topic, lane) => work(publisher, topic, lane)))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(working)
    },
  }
}
