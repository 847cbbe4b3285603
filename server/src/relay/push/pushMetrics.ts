import type { Registry } from 'prom-client'
import { createPairTally } from '../../kit/metrics/createTally.ts'
import type { PushServiceName } from './pushService.ts'

/**
 * The end of a notification: `sent`; `acknowledged` before it was sent; `gone` with its registration; `refused` by the service;
 * `failed` after the last attempt; `limited` by the rate of its client. `retried` counts attempts that are repeated.
 */
export type PushEnd = 'sent' | 'acknowledged' | 'gone' | 'refused' | 'failed' | 'limited' | 'retried'

/** Counts notifications by push service and result. */
export type PushMetrics = { count(service: PushServiceName, end: PushEnd): void }

const services: readonly PushServiceName[] = ['web', 'fcm', 'apns', 'apns-sandbox']
const ends: readonly PushEnd[] = ['sent', 'acknowledged', 'gone', 'refused', 'failed', 'limited', 'retried']

/** Creates the counter in a registry. */
export function createPushMetrics(registry: Registry): PushMetrics {
  const tally = createPairTally(registry, {
    name: 'latchkey_push_notifications_total',
    help: 'Push notifications by service and result, and attempts that are repeated.',
    labels: ['service', 'result'],
    keys: [services, ends],
  })
  return { count: tally.add }
}
