import type { SafeFetch } from '../../kit/http/safeFetch.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { RelayIdentity } from '../relayIdentity.ts'
import type { EventQueue, WatchEvent } from './eventQueue.ts'

export type WebhookNotifierDependencies = {
  queue: EventQueue
  identity: RelayIdentity
  http: Pick<SafeFetch, 'fetch'>
  clock: Clock
}

const giveUpAfterMs = 24 * 60 * 60 * 1000
/** Each delay is twice the one before. */
const retryDelayMs = { first: 2_000, longest: 60 * 60 * 1000 } as const

/**
 * Creates a function that notifies webhooks of due events. A webhook that is unreachable or responds with 5xx is notified
 * again after 2, 4, 8 … s, for a day. Any other response is final.
 *
 * @returns a function that returns the number of events that were due
 */
export function createWebhookNotifier({
  queue,
  identity,
  http,
  clock,
}: WebhookNotifierDependencies): () => Promise<number> {
  async function notify(event: WatchEvent): Promise<void> {
    if (await send(event)) return queue.remove(event.id)
    const delayMs = Math.min(retryDelayMs.first * 2 ** (event.attempts - 1), retryDelayMs.longest)
    const next = clock.now() + delayMs
    if (next > event.createdAt + giveUpAfterMs) await queue.remove(event.id)
    else await queue.postpone(event, next)
  }

  /** Returns true if the response is final. */
  async function send(event: WatchEvent): Promise<boolean> {
    const body = JSON.stringify({ eventAuth: [identity.sign(toClaims(event, clock.now()))] })
    const headers = { 'content-type': 'application/json' }
    try {
      const { status } = await http.fetch(event.webhook, { method: 'POST', headers, body, maxBytes: 0 })
      return status < 500
    } catch {
      return false
    }
  }

  return async () => {
    const events = await queue.claim()
    await Promise.all(events.map(notify))
    return events.length
  }
}

/** The claims of an event, by the specification of relay webhooks. */
function toClaims({ service, client, kind, webhook, ...event }: WatchEvent, now: number): object {
  const { sequence: messageId, status, topic, message, attestation, publishedAt, tag } = event
  return {
    act: 'irn_watchEvent',
    aud: service,
    sub: client,
    typ: kind,
    whu: webhook,
    iat: Math.floor(now / 1000),
    evt: { messageId, status, topic, message, attestation, publishedAt, tag },
  }
}
