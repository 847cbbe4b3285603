import type { Clock } from '../../kit/clock.ts'
import type { SafeFetch } from '../../kit/safeFetch.ts'
import type { RelayIdentity } from '../identity.ts'
import type { EventQueue, WatchEvent } from './eventQueue.ts'

export type TellerParts = {
  queue: EventQueue
  identity: RelayIdentity
  http: Pick<SafeFetch, 'fetch'>
  clock: Clock
}

/** For how long a webhook that fails is tried again, in milliseconds. */
const longestTrying = 24 * 60 * 60 * 1000
/** The first pause after a failure and the longest, in milliseconds; each is twice the one before. */
const pauses = { first: 2_000, longest: 60 * 60 * 1000 } as const

/**
 * Tells webhooks what is to be told. A webhook that is unreachable or answers 5xx is told again, later and later, for a
 * day; any other answer is final.
 *
 * @returns a function that tells what is due, and how much that was
 */
export function createTeller({ queue, identity, http, clock }: TellerParts): () => Promise<number> {
  async function tell(event: WatchEvent): Promise<void> {
    if (await isTaken(event)) return queue.drop(event.id)
    const next = clock.now() + Math.min(pauses.first * 2 ** (event.attempts - 1), pauses.longest)
    if (next > event.createdAt + longestTrying) await queue.drop(event.id)
    else await queue.putOff(event, next)
  }

  async function isTaken(event: WatchEvent): Promise<boolean> {
    const body = JSON.stringify({ eventAuth: [identity.sign(claimsOf(event, clock.now()))] })
    const headers = { 'content-type': 'application/json' }
    try {
      const { status } = await http.fetch(event.webhook, { method: 'POST', headers, body, bytes: 0 })
      return status < 500
    } catch {
      return false
    }
  }

  return async () => {
    const events = await queue.claim()
    await Promise.all(events.map(tell))
    return events.length
  }
}

/** What a webhook is told, as the specification of relay webhooks has it. */
function claimsOf({ service, client, kind, webhook, ...event }: WatchEvent, now: number): object {
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
