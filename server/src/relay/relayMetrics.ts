import { Counter, Gauge, type Registry } from 'prom-client'
import { createDistribution } from '../kit/metrics/createDistribution.ts'
import { createPairTally, createTally } from '../kit/metrics/createTally.ts'
import { RelayError } from './errors.ts'

/**
 * Counts the work of the relay in this process. Labels have fixed sets of values: no client id, topic, address or project,
 * and nothing that a client chooses.
 */
export type RelayMetrics = {
  /** Reads the number of open connections when the metrics are scraped. */
  watchConnections(count: () => number): void
  /** Reads the memory of the connections when the metrics are scraped. */
  watchMemory(memory: { total(): number; largest(): number }): void
  countAccepted(): void
  /** Counts a refused connection. @param reason the tag of the rejection */
  countRefused(reason: string): void
  /** Counts a request by its method, and the error of its response if it has one. */
  countRequest(method: string, error?: RelayError): void
  /** Counts a message that a client published, which the limits refused or that could not be stored. */
  countRefusedMessage(error: unknown): void
  /** Counts a message by the result of its mailbox. @param milliseconds from the request to the result */
  countMessage(outcome: 'stored' | 'duplicate' | 'full', milliseconds: number): void
  /** Counts a statement that stores messages. */
  countGroup(messages: number): void
  /** Counts a message that was sent to a subscriber. */
  countDelivery(): void
  /** Counts a delivery to a subscriber that had read its mailbox. @param milliseconds since the message was published */
  countLiveDelivery(milliseconds: number): void
  countAcknowledgement(): void
  /** Counts an error that no client caused. */
  countFault(): void
}

const refusalReasons = [
  'Closing',
  'Overloaded',
  'TooManyRequests',
  'ProjectIdNotSpecified',
  'ProjectNotFound',
  'OriginNotAllowed',
  'MissingJwt',
  'InvalidJwt',
] as const
const requestErrors = [
  'TooManyRequests',
  'MailboxLimitExceeded',
  'StorageLimitExceeded',
  'StorageError',
  'SubscriberLimitExceeded',
  'BatchLimitExceeded',
  'PayloadSizeExceeded',
  'Unknown',
] as const
const messageOutcomes = [
  'stored',
  'duplicate',
  'MailboxLimitExceeded',
  'StorageLimitExceeded',
  'TooManyRequests',
  'StorageError',
] as const
/** Upper bounds in seconds. */
const secondBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const groupBuckets = [1, 2, 5, 10, 25, 50, 100, 250, 500]

/**
 * Creates the counters of a relay in a registry.
 *
 * @param methods the names of the methods that clients may request
 * @example const metrics = createRelayMetrics(new Registry(), methodNames)
 */
export function createRelayMetrics(registry: Registry, methods: readonly string[]): RelayMetrics {
  const connections = createConnectionMetrics(registry)
  const requests = createPairTally(registry, {
    name: 'latchkey_relay_requests_total',
    help: 'Requests of clients by method and result.',
    labels: ['method', 'result'],
    keys: [methods, ['ok', ...requestErrors]],
  })
  const messages = createMessageMetrics(registry)
  const faults = new Counter({
    name: 'latchkey_relay_faults_total',
    help: 'Errors that no client caused, such as failed queries.',
    registers: [registry],
  })

  return {
    ...connections,
    ...messages,
    countRequest: (method, error) => requests.add(method, error === undefined ? 'ok' : toKey(error)),
    countFault: () => faults.inc(),
  }
}

type ConnectionMetrics = Pick<RelayMetrics, 'watchConnections' | 'watchMemory' | 'countAccepted' | 'countRefused'>

function createConnectionMetrics(registry: Registry): ConnectionMetrics {
  const accepted = new Counter({
    name: 'latchkey_relay_connections_accepted_total',
    help: 'Accepted connections.',
    registers: [registry],
  })
  const refused = createTally(registry, {
    name: 'latchkey_relay_connections_refused_total',
    help: 'Refused connections by reason.',
    label: 'reason',
    keys: refusalReasons,
  })
  return {
    watchConnections(count) {
      registerGauge(registry, 'latchkey_relay_connections', { help: 'Open connections.', read: count })
    },
    watchMemory({ total, largest }) {
      registerGauge(registry, 'latchkey_relay_memory_bytes', {
        help: 'Estimated bytes of the subscriptions of all connections, and of frames that wait.',
        read: total,
      })
      registerGauge(registry, 'latchkey_relay_memory_of_address_bytes', {
        help: 'Estimated bytes of the connections of the address that has the most.',
        read: largest,
      })
    },
    countAccepted: () => accepted.inc(),
    countRefused: refused.add,
  }
}

function registerGauge(registry: Registry, name: string, { help, read }: { help: string; read(): number }): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read())
    },
  })
  registry.registerMetric(gauge)
}

type MessageMetrics = Omit<RelayMetrics, keyof ConnectionMetrics | 'countRequest' | 'countFault'>

function createMessageMetrics(registry: Registry): MessageMetrics {
  const messages = createTally(registry, {
    name: 'latchkey_relay_messages_total',
    help: 'Published messages by result.',
    label: 'result',
    keys: messageOutcomes,
  })
  const storeSeconds = createDistribution(registry, {
    name: 'latchkey_relay_store_seconds',
    help: 'Seconds until a message was stored, from its request.',
    buckets: secondBuckets,
  })
  const groups = createDistribution(registry, {
    name: 'latchkey_relay_group_messages',
    help: 'Messages that one statement stored in the database.',
    buckets: groupBuckets,
  })
  const deliveries = createTally(registry, {
    name: 'latchkey_relay_deliveries_total',
    help: 'Messages sent to subscribers, and those that they acknowledged.',
    label: 'step',
    keys: ['sent', 'acknowledged'],
  })
  const deliverySeconds = createDistribution(registry, {
    name: 'latchkey_relay_delivery_seconds',
    help: 'Seconds until a message was sent to a subscriber that had read its mailbox, from its publish.',
    buckets: secondBuckets,
  })
  return {
    countRefusedMessage: (error) => messages.add(error instanceof RelayError ? toKey(error) : 'StorageError'),
    countMessage(outcome, milliseconds) {
      messages.add(outcome === 'full' ? 'MailboxLimitExceeded' : outcome)
      storeSeconds.observe(milliseconds / 1_000)
    },
    countGroup: groups.observe,
    countDelivery: () => deliveries.add('sent'),
    countLiveDelivery: (milliseconds) => deliverySeconds.observe(Math.max(0, milliseconds) / 1_000),
    countAcknowledgement: () => deliveries.add('acknowledged'),
  }
}

/** The error of an exceeded rate has no tag. */
function toKey({ code, data = '' }: RelayError): string {
  return code === tooManyRequestsCode ? 'TooManyRequests' : data
}

const tooManyRequestsCode = 3001
