import { expect, test } from 'vitest'
import { isPublicAddress } from './isPublicAddress.ts'

const publicOnes = ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8']
test.each(publicOnes)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '0.1.2.3', '::']],
  ['private network', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1', 'fec0::1']],
  ['link-local or shared', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '100.64.0.1']],
  ['reserved', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '240.0.0.1', '2001:db8::1', '100::1', '1::']],
  ['multicast or broadcast', ['224.0.0.1', '255.255.255.255', 'ff02::1']],
  ['IPv4 embedded in IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['IPv4 translation', ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8']],
  ['tunnel', ['2002:7f00:1::', '2002:808:808::1', '2001:0:808:808::1']],
  ['invalid', ['', 'localhost', '1.2.3', '1.2.3.4.5', '8.8.8.8:443', '[::1]', '8.8.8.8 ']],
])('an address of type "%s" is not public [P-06]', (_whom, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})
