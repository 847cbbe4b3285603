import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Bus } from '../../kit/bus/bus.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { RateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createBatch } from '../../kit/runtime/batch.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createDrainLoop } from '../../kit/runtime/createDrainLoop.ts'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import type { Mailbox, RelayMessage } from '../mailbox/mailbox.ts'
import type { RelayObserver } from '../relayObserver.ts'
import type { PushMetrics } from './pushMetrics.ts'
import { createPushQueue, type PushQueue } from './pushQueue.ts'
import { createPushSender } from './pushSender.ts'
import type { PushService, PushServiceName } from './pushService.ts'
import { createPushStore, type PushStore, type PushStoreLimits, type PushSubscription } from './pushStore.ts'

export type PushGatewayDependencies = {
  database: Kysely<unknown>
  services: readonly PushService[]
  mailbox: Pick<Mailbox, 'filterUndelivered'>
  bus: Bus
  rateLimiters: Pick<RateLimiters, 'createLocalFirst'>
  clock: Clock
  metrics: PushMetrics
  limits: PushStoreLimits
  /** Computes a keyed hash of an address. */
  hash(text: string): Buffer
  /** Lists the topics that a client is subscribed to over connections to this process. */
  listActiveTopics(client: string): readonly PushSubscription[]
  log: FastifyBaseLogger
}

/** A client's registration, as it requests it. */
export type PushRegistrationRequest = {
  client: string
  service: string
  token: string
  isRaw: boolean
  address: string
}

/** Wakes clients that are not connected: sends a push notification for each message whose publisher requests one. */
export type PushGateway = {
  readonly observer: RelayObserver
  /** Registers a client, or replaces its registration. @throws Problem for a wrong token, or for too many registrations */
  register(request: PushRegistrationRequest): Promise<void>
  /** Removes the registration of a client, with all that is stored for it. */
  unregister(client: string): Promise<void>
  /** Starts to send. */
  open(): void
  /** Sends some due notifications. @returns their number */
  sendDue(): Promise<number>
  /** Resolves when all events so far are recorded. */
  recorded(): Promise<void>
  close(): Promise<void>
}

/** An observed event, recorded in the order of the events. */
type ObservedEvent =
  | ({ kind: 'subscribed' } & PushSubscription)
  | ({ kind: 'unsubscribed' } & PushSubscription)
  | { kind: 'stored'; message: RelayMessage }

const channel = 'relay/push'
const sendIntervalMs = 500
const sweepIntervalMs = 60_000
const groups = { group: 500, queue: 20_000 } as const
/** Notifications of one client. A user who does not react needs no further ones. */
const rate = { perSecond: 0.2, burst: 30 } as const

/** Creates the gateway on a migrated database. */
export function createPushGateway(dependencies: PushGatewayDependencies): PushGateway {
  const { database, services, bus, clock, limits, log } = dependencies
  const store = createPushStore(database, clock, limits)
  const queue = createPushQueue(database, clock)
  const limiter = dependencies.rateLimiters.createLocalFirst('relay/push', rate)
  const sendDue = createPushSender({ ...dependencies, store, queue, limiter, onRefused })
  const loop = createDrainLoop(sendDue, onFault)
  const events = createBatch<ObservedEvent, true>((group) => recordEvents(group, store, queue), groups)
  // The client may be connected to another process than the one that registers it.
  const registered = bus.subscribe(channel, ({ client }) => recordActiveTopics(String(client)))
  const timers: NodeJS.Timeout[] = []

  function onFault(error: unknown): void {
    log.error({ reason: errorMessage(error) }, 'push fault')
  }

  function onRefused(service: string, reason: string): void {
    log.warn({ service, reason }, 'a push service refuses a notification')
  }

  const record = (event: ObservedEvent): void => void events.add(event).catch(onFault)

  function recordActiveTopics(client: string): void {
    for (const { topic } of dependencies.listActiveTopics(client)) record({ kind: 'subscribed', client, topic })
  }

  return {
    observer: createPushObserver(record),
    async register({ address, service: name, ...registration }) {
      const service = findService(services, name)
      const token = service.parseToken(registration.token)
      const source = dependencies.hash(`push ${address}`)
      if (!(await store.add({ ...registration, service: service.name, token, source }))) {
        throw new Problem(429, 'token', 'There are too many registrations of clients at this address.')
      }
      bus.publish(channel, { client: registration.client })
    },
    unregister: store.remove,
    open() {
      const sweep = async (): Promise<void> => {
        await store.deleteExpired()
        await queue.deleteExpired()
      }
      timers.push(
        setInterval(loop.start, sendIntervalMs),
        setInterval(() => void sweep().catch(onFault), sweepIntervalMs),
      )
    },
    sendDue,
    recorded: () => events.idle(),
    async close() {
      for (const timer of timers) clearInterval(timer)
      registered.stop()
      loop.stop()
      await events.idle()
      await loop.finished()
      await Promise.all(services.map((service) => service.close()))
    },
  }
}

function findService(services: readonly PushService[], name: string): PushService {
  const service = services.find((each) => each.name === name)
  if (service !== undefined) return service
  const names: readonly PushServiceName[] = services.map((each) => each.name)
  throw new Problem(400, 'type', `Supported push services: ${names.join(', ')}.`)
}

function createPushObserver(record: (event: ObservedEvent) => void): RelayObserver {
  return {
    subscribed: (topic, client) => record({ kind: 'subscribed', client, topic }),
    unsubscribed: (topic, client) => record({ kind: 'unsubscribed', client, topic }),
    messageStored(message, isPrompt) {
      if (isPrompt === true) record({ kind: 'stored', message })
    },
  }
}

async function recordEvents(
  group: readonly ObservedEvent[],
  store: PushStore,
  queue: PushQueue,
): Promise<readonly true[]> {
  await store.addSubscriptions(group.filter((event) => event.kind === 'subscribed'))
  await queue.add(group.flatMap((event) => (event.kind === 'stored' ? [event.message] : [])))
  await store.removeSubscriptions(group.filter((event) => event.kind === 'unsubscribed'))
  return group.map(() => true)
}
