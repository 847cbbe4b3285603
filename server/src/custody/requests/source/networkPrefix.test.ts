import { expect, test } from 'vitest'
import { networkPrefix } from './networkPrefix.ts'

test.each([
  ['192.0.2.1', '192.0.2.0/24'],
  ['192.0.2.255', '192.0.2.0/24'],
  ['192.0.3.1', '192.0.3.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::/64', '2001:db8:1::/48'],
  ['2001:db8:2:2::/64', '2001:db8:2::/48'],
])('the network of %s is %s', (address, expected) => {
  expect(networkPrefix(address)).toBe(expected)
})
