import { expect, test } from 'vitest'
import { isPublicAddress } from './publicAddress.ts'

const publicOnes = ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8']
test.each(publicOnes)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ['this machine', ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '0.1.2.3', '::']],
  ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1', 'fec0::1']],
  ['the neighbourhood', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '100.64.0.1']],
  ['nobody', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '240.0.0.1', '2001:db8::1', '100::1', '1::']],
  ['everybody at once', ['224.0.0.1', '255.255.255.255', 'ff02::1']],
  ['IPv4 inside of IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['translation to IPv4', ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8']],
  ['tunnels', ['2002:7f00:1::', '2002:808:808::1', '2001:0:808:808::1']],
  ['no address', ['', 'localhost', '1.2.3', '1.2.3.4.5', '8.8.8.8:443', '[::1]', '8.8.8.8 ']],
])('what belongs to %s is not public [P-06]', (_whom, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})
