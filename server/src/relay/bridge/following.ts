import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { RelayError } from '../errors.ts'
import type { Line } from './line.ts'
import { pause } from './pause.ts'

/** The topics on which we listen at the other relay. */
export type Following = {
  follow(topic: string): void
  /** Stops listening. */
  drop(topic: string): void
  /** Listens once more on a topic that is followed, because the other relay may have forgotten. */
  renew(topic: string): void
  /** Has the other relay deliver again what we have not acknowledged on a topic. */
  redeliver(topic: string): void
  /** There is a new connection, on which nothing is listened to yet. */
  resume(): void
  close(): Promise<void>
}

export type FollowingParts = {
  clientId: string
  line: Pick<Line, 'request'>
  log: FastifyBaseLogger
  /** We no longer listen on a topic, and neither may any other process of the same identity. */
  dropped(topic: string): void
}

const batchSize = 500
const retryMilliseconds = 30_000

/** Listens on topics at the other relay: what is asked for in one turn of the event loop goes in one request. */
export function createFollowing({ clientId, line, log, dropped }: FollowingParts): Following {
  const closing = new AbortController()
  const followed = new Set<string>()
  /** Topics to be asked for, in the order in which they were wanted. */
  const asking = new Set<string>()
  let isUp = false
  let working: Promise<void> | undefined

  function start(): void {
    if (isUp && !closing.signal.aborted) working ??= work()
  }

  async function work(): Promise<void> {
    await new Promise(setImmediate)
    while (isUp && asking.size > 0) {
      const topics = [...asking].slice(0, batchSize)
      for (const topic of topics) asking.delete(topic)
      await ask(topics)
    }
    working = undefined
  }

  async function ask(topics: readonly string[]): Promise<void> {
    try {
      await line.request('irn_batchSubscribe', { topics })
    } catch (error) {
      if (!(error instanceof RelayError)) return void (isUp = false)
      const { code, data } = error
      log.error({ topics: topics.length, code, refusal: data }, 'the upstream relay does not let us listen on topics')
      void askLater(topics)
    }
  }

  async function askLater(topics: readonly string[]): Promise<void> {
    await pause(retryMilliseconds, closing.signal)
    for (const topic of topics) if (followed.has(topic)) asking.add(topic)
    start()
  }

  async function leave(topic: string): Promise<void> {
    // The id is the one that clients work out for themselves; relays look at the topic alone.
    const id = createHash('sha256')
      .update(topic + clientId)
      .digest('hex')
    await line.request('irn_unsubscribe', { topic, id })
    dropped(topic)
  }

  function renew(topic: string): void {
    if (!followed.has(topic)) return
    asking.add(topic)
    start()
  }

  return {
    follow(topic) {
      followed.add(topic)
      renew(topic)
    },
    drop(topic) {
      followed.delete(topic)
      asking.delete(topic)
      // Without a connection there is nothing to leave, and a refusal changes nothing.
      if (isUp) leave(topic).catch(() => undefined)
    },
    renew,
    redeliver(topic) {
      // Asking twice for what we listen on already would be asking once.
      if (isUp && followed.has(topic))
        leave(topic).then(
          () => renew(topic),
          () => renew(topic),
        )
    },
    resume() {
      isUp = true
      for (const topic of followed) asking.add(topic)
      start()
    },
    async close() {
      closing.abort()
      isUp = false
      await working
    },
  }
}
