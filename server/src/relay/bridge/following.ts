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
  const followed = new Set<string>()
  /** Topics to be asked for, in the order in which they were wanted. */
  const asking = new Set<string>()
  let isUp = false
  let working: Promise<void> | undefined
  let resting = new AbortController()
  let wasRefused = false

  function start(): void {
    if (isUp && asking.size > 0) working ??= work()
  }

  async function work(): Promise<void> {
    await new Promise(setImmediate)
    let size = batchSize
    while (isUp && asking.size > 0) {
      const topics = [...asking].slice(0, size)
      for (const topic of topics) asking.delete(topic)
      const isDone = await ask(topics)
      if (isDone) size = Math.min(size * 2, batchSize)
      else if (topics.length > 1) size = Math.ceil(topics.length / 2)
      else await rest()
    }
    if (asking.size === 0) wasRefused = false
    working = undefined
  }

  /** A relay that has room for some refuses a whole batch: what is refused is asked for again, in smaller ones. */
  async function ask(topics: readonly string[]): Promise<boolean> {
    try {
      await line.request('irn_batchSubscribe', { topics })
      return true
    } catch (error) {
      if (error instanceof RelayError) tell(error)
      else isUp = false
      for (const topic of topics) if (followed.has(topic)) asking.add(topic)
      return false
    }
  }

  function tell({ code, data }: RelayError): void {
    if (wasRefused) return
    wasRefused = true
    log.error(
      { followed: followed.size, code, refusal: data },
      'the upstream relay does not let us listen on more topics: messages on them do not come until it does',
    )
  }

  async function rest(): Promise<void> {
    resting = new AbortController()
    if (isUp) await pause(retryMilliseconds, resting.signal)
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
      if (!isUp || !followed.has(topic)) return
      const again = (): void => renew(topic)
      leave(topic).then(again, again)
    },
    resume() {
      isUp = true
      resting.abort()
      for (const topic of followed) asking.add(topic)
      start()
    },
    async close() {
      isUp = false
      resting.abort()
      await working
    },
  }
}
