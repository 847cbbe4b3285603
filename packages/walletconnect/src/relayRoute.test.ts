import { describe, expect, test } from 'vitest'
import { createRelayRoute, type RelayRoute } from './relayRoute.ts'

const now = 1_735_689_600
const makeRoute = (...urls: [string, ...string[]]): RelayRoute =>
  createRelayRoute({ urls, addressOf: async (url, issuedAt) => `${url} ${issuedAt - now}`, now: () => now * 1000 })

const broken = { wasAnswered: false }
const answered = { wasAnswered: true }
const refused = (refusal: string) => ({ wasAnswered: false, refusal })

describe('the route to a relay', () => {
  test('leads to the next relay at once, and to the best one again when none answers', async () => {
    const route = makeRoute('a', 'b')
    expect([await route.address(), route.after(broken)]).toEqual(['a 0', 'now'])
    expect([await route.address(), route.after(broken)]).toEqual(['b 0', 'later'])
    expect(await route.address()).toBe('a 0')
  })

  test('leads to the best relay again when the one in use is lost', async () => {
    const route = makeRoute('a', 'b')
    route.after(broken)
    expect([await route.address(), route.after(answered)]).toEqual(['b 0', 'later'])
    expect(await route.address()).toBe('a 0')
  })

  test('ends only where all relays refuse', () => {
    const route = makeRoute('a', 'b')
    expect([route.after(refused('no')), route.after(broken)]).toEqual(['now', 'later'])
    expect([route.after(refused('no')), route.after(refused('no'))]).toEqual(['now', 'never'])
    expect(makeRoute('a').after(refused('no'))).toBe('never')
  })

  test('goes back by days while tokens are not yet valid, and forward while they are expired [G-12]', async () => {
    const route = makeRoute('a')
    expect(route.after(refused('JWT validation error: JWT Token is not yet valid'))).toBe('now')
    expect(await route.address()).toBe('a -86400')
    expect(route.after(answered)).toBe('later')
    expect(await route.address()).toBe('a -86400')
    expect(route.after(refused('JWT validation error: JWT Token is expired'))).toBe('now')
    expect(await route.address()).toBe('a 0')
    expect(route.after(refused('JWT validation error: JWT Token is expired'))).toBe('now')
    expect(await route.address()).toBe('a 86400')
  })

  test('gives up on a clock that is wrong by more than four days', async () => {
    const route = makeRoute('a')
    const late = refused('JWT Token is expired')
    expect([late, late, late, late, late].map(route.after)).toEqual(['now', 'now', 'now', 'now', 'never'])
    expect(await route.address()).toBe('a 0')
  })
})
