import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer } from './peer.ts'
import type { Random } from './random.ts'

/** Publishers at work. */
export type Load = {
  /** Lets every publisher finish the message it is at, however long that takes. */
  stop(): Promise<void>
}

export type LoadOptions = {
  publishers: readonly Peer[]
  /** Every publisher publishes on each of them, one message after the other, on all of them at once. */
  topics: readonly string[]
  /** Between two messages of one publisher on one topic, in milliseconds. */
  pause: { least: number; most: number }
  random: Random
}

/** Sets publishers to work until they are stopped. */
export function startLoad({ publishers, topics, pause, random }: LoadOptions): Load {
  const stopping = new AbortController()
  const { signal } = stopping
  setMaxListeners(0, signal)

  async function work(publisher: Peer, topic: string, lane: number): Promise<void> {
    for (let count = 0; !signal.aborted; count += 1) {
      // So that they do not march in step.
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
