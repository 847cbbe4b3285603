import { manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { createRelayTime } from './relayTime.ts'

const day = 86_400_000
const relayNow = Date.UTC(2025, 0, 1)

describe('createRelayTime', () => {
  test.each([0, 1000, 59_000, -59_000])('equals the client’s clock while that is wrong by at most %d ms', (ahead) => {
    const time = createRelayTime(manualClock(relayNow + ahead))
    time.observe(relayNow, 300)
    expect(time.now()).toBe(relayNow + ahead)
  })

  test.each([day, -day, 300_000, -300_000, 365 * day])(
    'follows messages if the client’s clock is %d ms ahead [G-12]',
    (ahead) => {
      const time = createRelayTime(manualClock(relayNow + ahead))
      time.observe(relayNow - 5000, 300)
      expect(Math.abs(time.now() - relayNow)).toBeLessThanOrEqual(5000)
      time.observe(relayNow, 300)
      expect(time.now()).toBe(relayNow)
    },
  )

  test('ignores a message that was in the mailbox for long', () => {
    const time = createRelayTime(manualClock(relayNow))
    time.observe(relayNow - 239_000, 300)
    time.observe(relayNow - 6 * day, 604_800)
    expect(time.now()).toBe(relayNow)
  })

  test('follows a corrected clock [G-12]', () => {
    let now = relayNow + day
    const time = createRelayTime({ ...manualClock(), now: () => now })
    time.observe(relayNow, 300)
    expect(time.now()).toBe(relayNow)
    now = relayNow
    time.observe(relayNow, 300)
    expect(time.now()).toBe(relayNow)
  })
})
