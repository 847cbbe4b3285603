import type { SocialProvider } from '@latchkey/core'
import { expect, test } from 'vitest'
import { usableSocials } from './usableSocials.ts'

const all: readonly SocialProvider[] = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook']

test.each([
  ['browser', 'desk', []],
  ['browser', 'ios', []],
  ['telegram', 'ios', ['google']],
  ['telegram', 'android', ['x', 'facebook']],
  ['telegram', 'desk', ['x']],
  ['app', 'android', ['google', 'facebook']],
] as const)('in a %s on %s, what does not work there is not offered', (host, system, missing) => {
  const usable = usableSocials(all, { host, system, isFramed: false })
  expect(all.filter((social) => !usable.includes(social))).toEqual(missing)
})
