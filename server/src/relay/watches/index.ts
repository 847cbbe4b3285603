import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { createBatch } from '../../kit/batch.ts'
import type { Bus } from '../../kit/bus.ts'
import type { Clock } from '../../kit/clock.ts'
import type { SafeFetch } from '../../kit/safeFetch.ts'
import { RelayError } from '../errors.ts'
import type { RelayIdentity } from '../identity.ts'
import type { RelayTap } from '../tap.ts'
import { createWatchBook, type Listening } from './book.ts'
import { createEventQueue } from './eventQueue.ts'
import { createLiveTopics } from './liveTopics.ts'
import { createTeller } from './teller.ts'
import { readWatch, readWatchEnd, type WatchRules } from './watch.ts'

export type WatchesParts = {
  database: Kysely<unknown>
  bus: Bus
  clock: Clock
  identity: RelayIdentity
  http: SafeFetch
  audiences(): readonly string[]
  log: FastifyBaseLogger
}

/** Services that are told by webhook what becomes of a client's messages. */
export type Watches = {
  /** The relay's own key, which signs what is told. */
  readonly identity: RelayIdentity
  /** What the watches want to know of the relay. */
  readonly tap: RelayTap
  /** Begins to watch a client that says so in a JWT. @throws RelayError that says what is wrong with it. */
  register(token: unknown): Promise<void>
  /** Watches no longer. @throws RelayError that says what is wrong with the JWT. */
  unregister(token: unknown): Promise<void>
  /** Begins to tell. */
  open(): void
  /** Tells some of what is due, and how much that was. */
  tell(): Promise<number>
  /** Settles when everything that happened so far is noted. */
  noted(): Promise<void>
  close(): Promise<void>
}

/** What happened, to be noted in the order in which it did. */
type Happening =
  | ({ kind: 'listen' } & Listening)
  | ({ kind: 'unlisten' } & Listening)
  | { kind: 'accepted'; sequence: number }
  | { kind: 'delivered'; client: string; sequence: number }

const channel = 'relay/watches'
const tellMilliseconds = 1_000
const sweepMilliseconds = 60_000
const groups = { group: 500, queue: 20_000 } as const

/** Starts to watch. */
export async function createWatches(parts: WatchesParts): Promise<Watches> {
  const { database, bus, clock, identity, http, log } = parts
  const book = createWatchBook(database, clock)
  const queue = createEventQueue(database, clock)
  const tell = createTeller({ queue, identity, http, clock })
  const live = createLiveTopics()
  const happenings = createBatch<Happening, true>(note, groups)
  let watched = await book.clients()
  let telling: Promise<void> | undefined
  let closing = false

  async function note(group: readonly Happening[]): Promise<readonly true[]> {
    await book.listen(group.filter((each) => each.kind === 'listen'))
    await queue.accepted(group.filter((each) => each.kind === 'accepted').map(({ sequence }) => sequence))
    await queue.delivered(group.filter((each) => each.kind === 'delivered'))
    await book.unlisten(group.filter((each) => each.kind === 'unlisten'))
    return group.map(() => true)
  }

  function happened(happening: Happening): void {
    happenings.add(happening).catch(report)
  }

  function report(error: unknown): void {
    log.error({ reason: error instanceof Error ? error.message : String(error) }, 'watch fault')
  }

  async function lookAgain(): Promise<void> {
    const before = watched
    watched = await book.clients()
    for (const client of watched) {
      if (!before.has(client)) await book.listen(live.of(client))
    }
  }

  async function tellAll(): Promise<void> {
    while (!closing && (await tell()) > 0);
  }

  /** One after the other: slow webhooks must not gather rounds behind them. */
  function startTelling(): void {
    telling ??= tellAll()
      .catch(report)
      .finally(() => (telling = undefined))
  }

  const rules = (): WatchRules => ({ now: clock.now(), audiences: parts.audiences(), checkAddress: http.check })
  const heard = bus.subscribe(channel, () => void lookAgain().catch(report))
  const timers: NodeJS.Timeout[] = []

  return {
    identity,
    tap: {
      subscribed(topic, client) {
        live.add({ client, topic })
        if (watched.has(client)) happened({ kind: 'listen', client, topic })
      },
      unsubscribed(topic, client) {
        live.remove({ client, topic })
        if (watched.has(client)) happened({ kind: 'unlisten', client, topic })
      },
      left: (topic, client) => live.remove({ client, topic }),
      accepted({ sequence }) {
        if (watched.size > 0) happened({ kind: 'accepted', sequence })
      },
      delivered(_topic, sequence, client) {
        if (watched.has(client)) happened({ kind: 'delivered', client, sequence })
      },
    },
    async register(token) {
      if (!(await book.add(readWatch(token, rules())))) {
        throw new RelayError(-32000, 'Internal error: too many watches of this client', 'SubscriberLimitExceeded')
      }
      await lookAgain()
      bus.publish(channel, {})
    },
    async unregister(token) {
      await book.remove(readWatchEnd(token, rules()))
      await lookAgain()
      bus.publish(channel, {})
    },
    open() {
      timers.push(
        setInterval(() => {
          if (watched.size > 0) startTelling()
        }, tellMilliseconds),
        // What is left to be told when nobody is watched any more is told with less haste.
        setInterval(() => void book.sweep().then(lookAgain).then(startTelling).catch(report), sweepMilliseconds),
      )
    },
    tell,
    noted: () => happenings.idle(),
    async close() {
      closing = true
      for (const timer of timers) clearInterval(timer)
      heard.stop()
      await happenings.idle()
      await telling
      await http.close()
    },
  }
}
