import type { PeerRequest } from '../channel/channel.ts'
import { signMethods } from '../channel/signMethod.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'

/** The longest lifetime of a request, with a minute for clock differences, in seconds. */
const longestLifetime = 604_860

/** Ids between these times (2018 and 2100, in Unix seconds) start with the sender's time. Others are counters. */
const idTimes = { first: 1_514_764_800, end: 4_102_444_800 } as const

/** Tolerated error of a dapp's clock: four days, in seconds. */
const clockTolerance = 345_600

/**
 * Returns when a request expires, in Unix seconds by the relay's clock: the lifetime that its sender chose, counted from
 * when the relay accepted it. The sender's clock may be wrong, so the lifetime is relative to the request's id, which
 * starts with the sender's time.
 *
 * @param now milliseconds, for relays that do not report the time of acceptance
 */
export function requestExpiry(request: PeerRequest, now: number): number {
  const { id, method, publishedAt } = request
  const lifetime = (getSealedExpiry(request) ?? 0) - id / 1e6
  const isPlausible = lifetime > 0 && lifetime <= longestLifetime
  return Math.floor((publishedAt ?? now) / 1000 + (isPlausible ? lifetime : signMethods[method].ttl))
}

/**
 * Returns from when on a request is too old, in Unix seconds, whatever the relay reports about it: a hostile relay can
 * deliver an old message as a new one. The expiry in the sealed message counts, with a tolerance for the dapp's clock.
 */
export function getStaleTime(request: PeerRequest & { readonly expiry: number }): number {
  const latest = request.expiry + longestLifetime + clockTolerance
  return Math.min(Math.max(request.expiry, (getSealedExpiry(request) ?? 0) + clockTolerance), latest)
}

/** True if a request is too old at `now` (milliseconds), whatever the relay reports about it. */
export function isStale(request: PeerRequest, now: number): boolean {
  const expiry = getSealedExpiry(request)
  return expiry !== undefined && (expiry + clockTolerance) * 1000 <= now
}

/**
 * The expiry that the sender chose, by its own clock. Older dapps seal none, but their ids start with the time, which is
 * sealed as well: without it, the wallet would ask again when a relay delivers the request after its expiry.
 */
function getSealedExpiry({ id, method, params }: PeerRequest): number | undefined {
  const { request, expiryTimestamp } = params
  const expiry = isUnknownRecord(request) ? request.expiryTimestamp : expiryTimestamp
  if (typeof expiry === 'number') return expiry
  const sentAt = id / 1e6
  return sentAt >= idTimes.first && sentAt < idTimes.end ? Math.floor(sentAt) + signMethods[method].ttl : undefined
}
