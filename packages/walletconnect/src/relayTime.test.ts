import { manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { createRelayTime } from './relayTime.ts'

const day = 86_400_000
const relayNow = Date.UTC(2025, 0, 1)

describe('the time of a relay', () => {
  test.each([0, 1000, 59_000, -59_000])('is one’s own while that is wrong by %d ms at most', (ahead) => {
    const time = createRelayTime(manualClock(relayNow + ahead))
    time.heard(relayNow, 300)
    expect(time.now()).toBe(relayNow + ahead)
  })

  test.each([day, -day, 300_000, -300_000, 365 * day])(
    'is told by messages when the own clock is %d ms ahead [G-12]',
    (ahead) => {
      const time = createRelayTime(manualClock(relayNow + ahead))
      time.heard(relayNow - 5000, 300)
      expect(Math.abs(time.now() - relayNow)).toBeLessThanOrEqual(5000)
      time.heard(relayNow, 300)
      expect(time.now()).toBe(relayNow)
    },
  )

  test('is not taken from a message that lay in the mailbox for long', () => {
    const time = createRelayTime(manualClock(relayNow))
    time.heard(relayNow - 239_000, 300)
    time.heard(relayNow - 6 * day, 604_800)
    expect(time.now()).toBe(relayNow)
  })

  test('follows when somebody sets the clock right [G-12]', () => {
    let now = relayNow + day
    const time = createRelayTime({ ...manualClock(), now: () => now })
    time.heard(relayNow, 300)
    expect(time.now()).toBe(relayNow)
    now = relayNow
    time.heard(relayNow, 300)
    expect(time.now()).toBe(relayNow)
  })
})
