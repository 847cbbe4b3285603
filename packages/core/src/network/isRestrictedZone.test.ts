import { expect, test } from 'vitest'
import { isRestrictedZone } from './isRestrictedZone.ts'

test.each([
  'Asia/Shanghai',
  'Asia/Urumqi',
  'Asia/Chongqing',
  'Asia/Harbin',
  'Asia/Kashgar',
  'Asia/Macau',
  'Asia/Macao',
  'Asia/Hong_Kong',
  'Asia/Beijing',
])('isRestrictedZone is true in %s [R9.4.5]', (zone) => {
  expect(isRestrictedZone(zone)).toBe(true)
})

test.each(['Asia/Taipei', 'Asia/Singapore', 'Europe/Berlin', 'UTC', 'Asia/Shanghai2', ''])(
  'isRestrictedZone is false in %s',
  (zone) => {
    expect(isRestrictedZone(zone)).toBe(false)
  },
)
