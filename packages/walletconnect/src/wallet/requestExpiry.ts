import type { PeerRequest } from '../channel/channel.ts'
import { signMethods } from '../channel/signMethod.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'

/** The longest lifetime of a request, with a minute for clock differences, in seconds. */
const longestLifetime = 604_860

/**
 * Returns when a request expires, in Unix seconds by the relay's clock: the lifetime that its sender chose, counted from
 * when the relay accepted it. The sender's clock may be wrong, so the lifetime is relative to the request's id, which
 * starts with the sender's time.
 *
 * @param now milliseconds, for relays that do not report the time of acceptance
 */
export function requestExpiry({ id, method, params, publishedAt }: PeerRequest, now: number): number {
  const { request, expiryTimestamp } = params
  const requested = isUnknownRecord(request) ? request.expiryTimestamp : expiryTimestamp
  const lifetime = typeof requested === 'number' ? requested - id / 1e6 : 0
  const isPlausible = lifetime > 0 && lifetime <= longestLifetime
  return Math.floor((publishedAt ?? now) / 1000 + (isPlausible ? lifetime : signMethods[method].ttl))
}
