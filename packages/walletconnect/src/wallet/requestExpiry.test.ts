import { describe, expect, test } from 'vitest'
import type { PeerRequest } from '../channel/channel.ts'
import { isStale, requestExpiry, getStaleTime } from './requestExpiry.ts'

/** Unix seconds. */
const sentAt = 1_800_000_000
const week = 604_800
const fourDays = 345_600

const request = (members: Partial<PeerRequest> = {}): PeerRequest => ({
  topic: 'a1'.repeat(32),
  id: sentAt * 1e6,
  method: 'wc_sessionRequest',
  params: {},
  ...members,
})

/** A session request whose sender chose an expiry. */
const expiringAt = (expiryTimestamp: unknown, members: Partial<PeerRequest> = {}): PeerRequest =>
  request({ params: { request: { expiryTimestamp } }, ...members })

describe('requestExpiry', () => {
  test('counts the lifetime that the sender chose from when the relay accepted the request', () => {
    const publishedAt = (sentAt + 50) * 1000
    expect(requestExpiry(expiringAt(sentAt + 300, { publishedAt }), 0)).toBe(sentAt + 350)
  })

  test('does not depend on the clock of the sender', () => {
    const [hour, publishedAt] = [3600, sentAt * 1000]
    const ahead = expiringAt(sentAt + hour + 300, { publishedAt, id: (sentAt + hour) * 1e6 })
    const behind = expiringAt(sentAt - hour + 300, { publishedAt, id: (sentAt - hour) * 1e6 })
    expect([ahead, behind].map((each) => requestExpiry(each, 0))).toEqual([sentAt + 300, sentAt + 300])
  })

  test('counts from now if the relay does not report the time of acceptance', () => {
    expect(requestExpiry(expiringAt(sentAt + 300), (sentAt + 9) * 1000 + 999)).toBe(sentAt + 309)
  })

  test('reads the expiry of a proposal from its params', () => {
    const proposal = request({ method: 'wc_sessionPropose', params: { expiryTimestamp: sentAt + 77 } })
    expect(requestExpiry(proposal, sentAt * 1000)).toBe(sentAt + 77)
  })

  test.each([
    ['no expiry', undefined],
    ['an expiry that is text', String(sentAt + 300)],
    ['an expiry in the past', sentAt - 1],
    ['an expiry at once', sentAt],
    ['a lifetime of more than a week', sentAt + week + 61],
    ['an endless lifetime', Infinity],
    ['an expiry that is not a number', NaN],
  ])('gives a request with %s the lifetime of its method', (_, expiry) => {
    expect(requestExpiry(expiringAt(expiry), sentAt * 1000)).toBe(sentAt + 900)
    const proposal = request({ method: 'wc_sessionPropose', params: { expiryTimestamp: expiry } })
    expect(requestExpiry(proposal, sentAt * 1000)).toBe(sentAt + 300)
  })

  test('accepts a lifetime of a week with a minute for clock differences', () => {
    expect(requestExpiry(expiringAt(sentAt + week + 60), sentAt * 1000)).toBe(sentAt + week + 60)
  })
})

describe('isStale', () => {
  test('is true from four days after the sealed expiry, whatever the relay reports', () => {
    const old = expiringAt(sentAt + 300, { publishedAt: (sentAt + 30 * week) * 1000 })
    const end = (sentAt + 300 + fourDays) * 1000
    expect([isStale(old, end - 1), isStale(old, end)]).toEqual([false, true])
  })

  test('counts from the time in the id of a request without an expiry', () => {
    const end = (sentAt + 900 + fourDays) * 1000
    expect([isStale(request(), end - 1), isStale(request(), end)]).toEqual([false, true])
  })

  test.each([7, 1_400_000_000 * 1e6, 4_200_000_000 * 1e6])(
    'is false for a request without an expiry whose id %d is no time',
    (id) => {
      expect(isStale(request({ id }), Number.MAX_SAFE_INTEGER)).toBe(false)
    },
  )
})

describe('getStaleTime', () => {
  const expiry = sentAt + 900

  test('is the time from which isStale refuses the request', () => {
    expect(getStaleTime({ ...expiringAt(sentAt + 300), expiry })).toBe(sentAt + 300 + fourDays)
  })

  test('is not before the expiry by the clock of the relay', () => {
    expect(getStaleTime({ ...expiringAt(sentAt - 10 * week), expiry })).toBe(expiry)
    expect(getStaleTime({ ...request({ id: 7 }), expiry })).toBe(expiry)
  })

  test('is bounded, so that a far expiry is not remembered forever', () => {
    expect(getStaleTime({ ...expiringAt(sentAt + 1e9), expiry })).toBe(expiry + week + 60 + fourDays)
  })
})
