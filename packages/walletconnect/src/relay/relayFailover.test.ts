import { describe, expect, test } from 'vitest'
import { createRelayFailover, type RelayFailover } from './relayFailover.ts'

const now = 1_735_689_600
const makeRoute = (...urls: [string, ...string[]]): RelayFailover =>
  createRelayFailover({ urls, addressOf: async (url, issuedAt) => `${url} ${issuedAt - now}`, now: () => now * 1000 })

const broken = { hadResponse: false }
const afterResponse = { hadResponse: true }
const createRefusal = (refusal: string) => ({ hadResponse: false, refusal })

describe('createRelayFailover', () => {
  test('uses the next relay at once, and the best one again if none responds', async () => {
    const route = makeRoute('a', 'b')
    expect([await route.address(), route.nextAttempt(broken)]).toEqual(['a 0', 'now'])
    expect([await route.address(), route.nextAttempt(broken)]).toEqual(['b 0', 'later'])
    expect(await route.address()).toBe('a 0')
  })

  test('uses the best relay again when the current one is lost', async () => {
    const route = makeRoute('a', 'b')
    route.nextAttempt(broken)
    expect([await route.address(), route.nextAttempt(afterResponse)]).toEqual(['b 0', 'later'])
    expect(await route.address()).toBe('a 0')
  })

  test('stops only if all relays refuse', () => {
    const route = makeRoute('a', 'b')
    expect([route.nextAttempt(createRefusal('no')), route.nextAttempt(broken)]).toEqual(['now', 'later'])
    expect([route.nextAttempt(createRefusal('no')), route.nextAttempt(createRefusal('no'))]).toEqual(['now', 'never'])
    expect(makeRoute('a').nextAttempt(createRefusal('no'))).toBe('never')
  })

  test('moves the time back by days while tokens are not yet valid, and forward while they are expired [G-12]', async () => {
    const route = makeRoute('a')
    expect(route.nextAttempt(createRefusal('JWT validation error: JWT Token is not yet valid'))).toBe('now')
    expect(await route.address()).toBe('a -86400')
    expect(route.nextAttempt(afterResponse)).toBe('later')
    expect(await route.address()).toBe('a -86400')
    expect(route.nextAttempt(createRefusal('JWT validation error: JWT Token is expired'))).toBe('now')
    expect(await route.address()).toBe('a 0')
    expect(route.nextAttempt(createRefusal('JWT validation error: JWT Token is expired'))).toBe('now')
    expect(await route.address()).toBe('a 86400')
  })

  test('stops if the clock is wrong by more than four days', async () => {
    const route = makeRoute('a')
    const late = createRefusal('JWT Token is expired')
    expect([late, late, late, late, late].map(route.nextAttempt)).toEqual(['now', 'now', 'now', 'now', 'never'])
    expect(await route.address()).toBe('a 0')
  })
})
