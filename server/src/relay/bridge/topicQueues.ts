import { pause } from '../../kit/runtime/pause.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import type { ForwardResult } from './forwardMessage.ts'

/** Queues of messages to the upstream relay: a topic's messages in sequence, several topics concurrently. */
export type TopicQueues = {
  add(message: RelayMessage): void
  /** Continues after the connection was lost. */
  resume(): void
  hasRoom(): boolean
  /** Resolves when half of the room is free, or the queues are closed. */
  waitForRoom(): Promise<void>
  close(): Promise<void>
}

/** An upstream with strict limits ends connections that continue after some refusals. */
const maxConcurrentTopics = 8
/** In characters. */
const capacity = 8 * 1024 * 1024
const retryDelayMs = { first: 5_000, longest: 60_000 } as const

/** A topic's messages, and how often the first of them was postponed. */
type Queue = { messages: RelayMessage[]; postponements: number }

async function waitForRetry(queue: Queue, closing: AbortSignal): Promise<void> {
  const delayMs = Math.min(retryDelayMs.first * 2 ** queue.postponements, retryDelayMs.longest)
  queue.postponements += 1
  await pause(delayMs, closing)
}

/**
 * Creates the queues. A message that is queued already is not added again.
 *
 * @param forward sends one message to the upstream relay
 */
export function createTopicQueues(forward: (message: RelayMessage) => Promise<ForwardResult>): TopicQueues {
  const closing = new AbortController()
  const queues = new Map<string, Queue>()
  /** Topics whose first message can be sent. */
  const ready = new Set<string>()
  const sending = new Set<Promise<void>>()
  const room = createRoom()
  let isConnected = false

  function work(): void {
    for (const topic of ready) {
      if (!isConnected || closing.signal.aborted || sending.size >= maxConcurrentTopics) return
      ready.delete(topic)
      const sent = sendFirst(topic)
      sending.add(sent)
      void sent.finally(() => sending.delete(sent)).then(work)
    }
  }

  function setReady(topic: string): void {
    ready.add(topic)
    work()
  }

  async function sendFirst(topic: string): Promise<void> {
    const queue = queues.get(topic)
    const message = queue?.messages[0]
    if (queue === undefined || message === undefined) return
    const result = await forward(message)
    if (result === 'later') return void waitForRetry(queue, closing.signal).then(() => setReady(topic))
    if (result === 'lost') isConnected = false
    else removeFirst(queue, room)
    if (queue.messages.length > 0) ready.add(topic)
    else queues.delete(topic)
  }

  return {
    add(message) {
      if (!room.take(message)) return
      const queue = queues.get(message.topic)
      if (queue !== undefined) return void queue.messages.push(message)
      queues.set(message.topic, { messages: [message], postponements: 0 })
      setReady(message.topic)
    },
    resume() {
      isConnected = true
      work()
    },
    hasRoom: room.isFree,
    waitForRoom: async () => (closing.signal.aborted ? undefined : room.whenFree()),
    async close() {
      closing.abort()
      room.open()
      await Promise.all(sending)
    },
  }
}

function removeFirst(queue: Queue, room: Room): void {
  const message = queue.messages.shift()
  queue.postponements = 0
  if (message !== undefined) room.release(message)
}

/** Bounds the memory of queued messages. */
type Room = {
  /** Takes room for a message. Returns false if the message has it already. */
  take(message: RelayMessage): boolean
  release(message: RelayMessage): void
  isFree(): boolean
  whenFree(): Promise<void>
  /** Resolves a pending `whenFree`. */
  open(): void
}

function createRoom(): Room {
  const sequences = new Set<number>()
  let size = 0
  let resolveWaiting: (() => void) | undefined

  return {
    take({ sequence, message }) {
      if (sequences.has(sequence)) return false
      sequences.add(sequence)
      size += message.length
      return true
    },
    release({ sequence, message }) {
      sequences.delete(sequence)
      size -= message.length
      if (size < capacity / 2) resolveWaiting?.()
    },
    isFree: () => size < capacity,
    whenFree() {
      if (size < capacity) return Promise.resolve()
      return new Promise((resolve) => (resolveWaiting = resolve))
    },
    open: () => resolveWaiting?.(),
  }
}
