import type { Clock } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import { createBackoff } from './backoff.ts'
import type { ReconnectingSocket } from './reconnectingSocket.ts'

/** Subscribes to topics in batches, and retries those that the relay refuses. */
export type BatchRetries = {
  /** Subscribes to topics. Never throws. */
  start(topics: readonly string[]): void
  /** Schedules topics whose subscription failed, if the relay refused it. Otherwise the next connection subscribes. */
  add(topics: readonly string[], error: unknown): void
  /** Drops what is scheduled: a new connection subscribes to all topics. */
  cancel(): void
}

export type BatchRetriesDependencies = {
  socket: Pick<ReconnectingSocket, 'status' | 'reportRefusal'>
  clock: Clock
  /** Subscribes to topics. @throws LatchkeyError `request/failed` if the relay refuses, `relay/…` */
  subscribe(topics: readonly string[]): Promise<void>
  /** True if a topic is still needed. */
  isKept(topic: string): boolean
}

/** Creates retries with growing delays. */
export function createBatchRetries({ socket, clock, subscribe, isKept }: BatchRetriesDependencies): BatchRetries {
  const backoff = createBackoff(clock)
  let refused: Array<readonly string[]> = []
  let pending = 0
  let connection = 0

  function add(batch: readonly string[], error: unknown): void {
    if (!isLatchkeyError(error, 'request/failed')) return
    if (refused.length === 0) backoff.schedule(retry)
    // In halves, so that one topic that the relay refuses does not hold up the others.
    const middle = Math.ceil(batch.length / 2)
    refused.push(batch.slice(0, middle), batch.slice(middle))
    socket.reportRefusal(error.context.reason)
  }

  function retry(): void {
    const batches = refused.map((batch) => batch.filter(isKept)).filter((batch) => batch.length > 0)
    refused = []
    // Without a connection, the next one subscribes to all topics.
    if (socket.status.get().state !== 'open') return
    if (batches.length === 0) end()
    batches.forEach(start)
  }

  function start(batch: readonly string[]): void {
    const current = connection
    const settle = (error?: unknown): void => {
      if (connection !== current) return
      pending -= 1
      if (error !== undefined) add(batch, error)
      if (refused.length === 0 && pending === 0) end()
    }
    pending += 1
    subscribe(batch).then(() => settle(), settle)
  }

  function end(): void {
    backoff.reset()
    socket.reportRefusal(undefined)
  }

  return {
    start,
    add,
    cancel() {
      connection += 1
      pending = 0
      refused = []
      backoff.cancel()
      backoff.reset()
    },
  }
}
