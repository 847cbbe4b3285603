import type { LocalFirstLimiter } from '../../kit/limits/localFirstLimiter.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { PushMetrics } from './pushMetrics.ts'
import type { PushQueue, QueuedNotification } from './pushQueue.ts'
import type { PushResult, PushService } from './pushService.ts'
import type { PushStore } from './pushStore.ts'

export type PushSenderDependencies = {
  services: readonly PushService[]
  queue: PushQueue
  store: Pick<PushStore, 'removeToken'>
  mailbox: Pick<Mailbox, 'filterUndelivered'>
  /** The notifications of each client. */
  limiter: LocalFirstLimiter
  metrics: PushMetrics
  clock: Clock
  /** Reports a notification that the service refused permanently. */
  onRefused(service: string, reason: string): void
}

/** Each delay is twice the one before: 2, 4, 8, 16 s. A request is useless to a user after a minute or two. */
const firstDelayMs = 2_000
const maxAttempts = 5

/**
 * Creates a function that sends due notifications. Those that failed for now are sent again, five times in total and not after
 * their message has expired.
 *
 * @returns a function that returns the number of notifications that were due
 */
export function createPushSender(dependencies: PushSenderDependencies): () => Promise<number> {
  const { queue, store, mailbox, limiter, metrics, clock, onRefused } = dependencies
  const services = new Map(dependencies.services.map((service) => [service.name, service]))

  async function isAcknowledged({ topic, sequence, client }: QueuedNotification): Promise<boolean> {
    return (await mailbox.filterUndelivered([{ topic, sequence }], client)).length === 0
  }

  async function notify(notification: QueuedNotification): Promise<void> {
    const { id, client, service: name, token } = notification
    const service = services.get(name)
    // The operator may have removed the service since the client registered.
    if (service === undefined) return store.removeToken(client, token)
    if (await isAcknowledged(notification)) {
      metrics.count(name, 'acknowledged')
      return queue.remove(id)
    }
    if (notification.attempts === 1 && !limiter.take(client).ok) {
      metrics.count(name, 'limited')
      return queue.remove(id)
    }
    await settle(notification, await service.send(token, notification))
  }

  async function settle(notification: QueuedNotification, result: PushResult): Promise<void> {
    const { id, client, token, service, attempts, expiresAt } = notification
    if (result.outcome === 'failed') {
      const next = clock.now() + Math.max(firstDelayMs * 2 ** (attempts - 1), result.retryAfterMs ?? 0)
      if (attempts < maxAttempts && next < expiresAt) {
        metrics.count(service, 'retried')
        return queue.postpone(id, next)
      }
    }
    metrics.count(service, result.outcome)
    if (result.outcome === 'gone') return store.removeToken(client, token)
    if (result.outcome === 'refused') onRefused(service, result.reason)
    return queue.remove(id)
  }

  return async () => {
    const due = await queue.claim()
    await Promise.all(due.map(notify))
    return due.length
  }
}
