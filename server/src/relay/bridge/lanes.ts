import type { StoredMessage } from '../mailbox.ts'
import type { Outcome } from './forward.ts'
import { pause } from './pause.ts'

/** Messages on their way up: those of a topic one after the other, several topics at once. */
export type Lanes = {
  add(message: StoredMessage): void
  /** Starts again after the connection was lost. */
  resume(): void
  hasRoom(): boolean
  /** Settles when half of the room is free, or when the lanes are closed. */
  room(): Promise<void>
  close(): Promise<void>
}

/** How many topics send at once: an upstream with strict limits ends connections that go on after some refusals. */
const width = 8
/** Characters held here. */
const capacity = 8 * 1024 * 1024
const retryMilliseconds = { first: 5_000, longest: 60_000 } as const

/** A topic's messages, and how often the first of them was put off. */
type Lane = { messages: StoredMessage[]; failures: number }

/**
 * Makes the lanes. A message that is in a lane already is not added again.
 *
 * @param carry takes one message up
 */
export function createLanes(carry: (message: StoredMessage) => Promise<Outcome>): Lanes {
  const closing = new AbortController()
  const lanes = new Map<string, Lane>()
  /** Topics that wait for their turn. */
  const ready = new Set<string>()
  const held = new Set<number>()
  const carrying = new Set<Promise<void>>()
  let size = 0
  let isUp = false
  let waitingForRoom: (() => void) | undefined

  function work(): void {
    for (const topic of ready) {
      if (!isUp || closing.signal.aborted || carrying.size >= width) return
      ready.delete(topic)
      const turn = takeTurn(topic).finally(() => {
        carrying.delete(turn)
        work()
      })
      carrying.add(turn)
    }
  }

  async function takeTurn(topic: string): Promise<void> {
    const lane = lanes.get(topic)
    const message = lane?.messages[0]
    if (lane === undefined || message === undefined) return
    const outcome = await carry(message)
    if (outcome === 'lost') isUp = false
    if (outcome === 'later') return void retry(topic, lane)
    if (outcome === 'done') release(lane)
    if (lane.messages.length > 0) ready.add(topic)
    else lanes.delete(topic)
  }

  function release(lane: Lane): void {
    const message = lane.messages.shift()
    if (message === undefined) return
    lane.failures = 0
    held.delete(message.sequence)
    size -= message.message.length
    if (size < capacity / 2) waitingForRoom?.()
  }

  async function retry(topic: string, lane: Lane): Promise<void> {
    const wait = Math.min(retryMilliseconds.first * 2 ** lane.failures, retryMilliseconds.longest)
    lane.failures += 1
    await pause(wait, closing.signal)
    ready.add(topic)
    work()
  }

  return {
    add(message) {
      if (held.has(message.sequence)) return
      held.add(message.sequence)
      size += message.message.length
      const lane = lanes.get(message.topic)
      if (lane !== undefined) return void lane.messages.push(message)
      lanes.set(message.topic, { messages: [message], failures: 0 })
      ready.add(message.topic)
      work()
    },
    resume() {
      isUp = true
      work()
    },
    hasRoom: () => size < capacity,
    room() {
      if (size < capacity || closing.signal.aborted) return Promise.resolve()
      return new Promise((resolve) => (waitingForRoom = resolve))
    },
    async close() {
      closing.abort()
      waitingForRoom?.()
      await Promise.all(carrying)
    },
  }
}
