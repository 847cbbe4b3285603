import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Bus } from '../../kit/bus/bus.ts'
import type { SafeFetch } from '../../kit/http/safeFetch.ts'
import { createBatch } from '../../kit/runtime/batch.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createDrainLoop } from '../../kit/runtime/createDrainLoop.ts'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import { RelayError } from '../errors.ts'
import type { RelayIdentity } from '../relayIdentity.ts'
import type { RelayObserver } from '../relayObserver.ts'
import { createActiveTopics, type ActiveTopics } from './activeTopics.ts'
import { createEventQueue, type EventQueue } from './eventQueue.ts'
import { parseUnwatchToken, parseWatchToken, type WatchRules } from './watch.ts'
import { createWatchStore, type WatchedSubscription, type WatchStore } from './watchStore.ts'
import { createWebhookNotifier } from './webhookNotifier.ts'

export type WatchesDependencies = {
  database: Kysely<unknown>
  bus: Bus
  clock: Clock
  identity: RelayIdentity
  http: SafeFetch
  audiences(): readonly string[]
  log: FastifyBaseLogger
}

/** Notifies services by webhook of the status of a client's messages. */
export type Watches = {
  /** The relay's own key, which signs the notifications. */
  readonly identity: RelayIdentity
  readonly observer: RelayObserver
  /** Lists the topics that a client is subscribed to over connections to this process. */
  listActiveTopics(client: string): readonly WatchedSubscription[]
  /** Registers the watch that a client signed in a JWT. @throws RelayError that names the wrong claim */
  register(token: unknown): Promise<void>
  /** Removes a watch. @throws RelayError that names the wrong claim of the JWT */
  unregister(token: unknown): Promise<void>
  /** Starts to notify webhooks. */
  open(): void
  /** Notifies webhooks of some due events. @returns their number */
  notifyDue(): Promise<number>
  /** Resolves when all events so far are recorded. */
  recorded(): Promise<void>
  close(): Promise<void>
}

/** An observed event, recorded in the order of the events. */
type ObservedEvent =
  | ({ kind: 'subscribed' } & WatchedSubscription)
  | ({ kind: 'unsubscribed' } & WatchedSubscription)
  | { kind: 'accepted'; sequence: number }
  | { kind: 'delivered'; client: string; sequence: number }

const channel = 'relay/watches'
const notifyIntervalMs = 1_000
const sweepIntervalMs = 60_000
const groups = { group: 500, queue: 20_000 } as const

/** Creates the watches of a relay, and loads the watched clients. */
export async function createWatches(dependencies: WatchesDependencies): Promise<Watches> {
  const { database, bus, clock, identity, http, log } = dependencies
  const store = createWatchStore(database, clock)
  const queue = createEventQueue(database, clock)
  const notifyDue = createWebhookNotifier({ queue, identity, http, clock })
  const activeTopics = createActiveTopics()
  const events = createBatch<ObservedEvent, true>((group) => recordEvents(group, store, queue), groups)
  const watchedClients = await trackWatchedClients(store, activeTopics)
  const loop = createDrainLoop(notifyDue, onFault)
  const rules = (): WatchRules => ({ now: clock.now(), audiences: dependencies.audiences(), checkAddress: http.check })
  const subscription = bus.subscribe(channel, () => void watchedClients.refresh().catch(onFault))
  const timers: NodeJS.Timeout[] = []

  function onFault(error: unknown): void {
    log.error({ reason: errorMessage(error) }, 'watch fault')
  }

  const record = (event: ObservedEvent): void => void events.add(event).catch(onFault)

  const sweep = (): Promise<void> => store.deleteExpired().then(watchedClients.refresh).then(loop.start)

  async function announceChange(): Promise<void> {
    await watchedClients.refresh()
    bus.publish(channel, {})
  }

  return {
    identity,
    observer: createWatchObserver({ watchedClients, activeTopics, record }),
    listActiveTopics: activeTopics.list,
    async register(token) {
      if (!(await store.add(await parseWatchToken(token, rules())))) {
        throw new RelayError(-32000, 'Internal error: too many watches of this client', 'SubscriberLimitExceeded')
      }
      await announceChange()
    },
    async unregister(token) {
      await store.remove(await parseUnwatchToken(token, rules()))
      await announceChange()
    },
    open() {
      timers.push(
        setInterval(() => watchedClients.hasAny() && loop.start(), notifyIntervalMs),
        // Events that are left when no client is watched any longer are sent with the sweep.
        setInterval(() => void sweep().catch(onFault), sweepIntervalMs),
      )
    },
    notifyDue,
    recorded: () => events.idle(),
    async close() {
      for (const timer of timers) clearInterval(timer)
      subscription.stop()
      loop.stop()
      await events.idle()
      await loop.finished()
      await http.close()
    },
  }
}

async function recordEvents(
  group: readonly ObservedEvent[],
  store: WatchStore,
  queue: EventQueue,
): Promise<readonly true[]> {
  await store.addSubscriptions(group.filter((event) => event.kind === 'subscribed'))
  await queue.addAccepted(group.filter((event) => event.kind === 'accepted').map(({ sequence }) => sequence))
  await queue.addDelivered(group.filter((event) => event.kind === 'delivered'))
  await store.removeSubscriptions(group.filter((event) => event.kind === 'unsubscribed'))
  return group.map(() => true)
}

/** The clients with a watch, as this process knows them. */
type WatchedClients = {
  has(client: string): boolean
  hasAny(): boolean
  /** Loads the clients, and records the subscriptions of those that are new. */
  refresh(): Promise<void>
}

async function trackWatchedClients(store: WatchStore, activeTopics: ActiveTopics): Promise<WatchedClients> {
  let clients = await store.listWatchedClients()

  return {
    has: (client) => clients.has(client),
    hasAny: () => clients.size > 0,
    async refresh() {
      const before = clients
      clients = await store.listWatchedClients()
      for (const client of clients) {
        if (!before.has(client)) await store.addSubscriptions(activeTopics.list(client))
      }
    },
  }
}

type WatchObserverDependencies = {
  watchedClients: WatchedClients
  activeTopics: ActiveTopics
  record(event: ObservedEvent): void
}

function createWatchObserver({ watchedClients, activeTopics, record }: WatchObserverDependencies): RelayObserver {
  return {
    subscribed(topic, client) {
      activeTopics.add({ client, topic })
      if (watchedClients.has(client)) record({ kind: 'subscribed', client, topic })
    },
    unsubscribed(topic, client) {
      activeTopics.remove({ client, topic })
      if (watchedClients.has(client)) record({ kind: 'unsubscribed', client, topic })
    },
    disconnected: (topic, client) => activeTopics.remove({ client, topic }),
    messageStored({ sequence }) {
      if (watchedClients.hasAny()) record({ kind: 'accepted', sequence })
    },
    messageDelivered(_topic, sequence, client) {
      if (watchedClients.has(client)) record({ kind: 'delivered', client, sequence })
    },
  }
}
