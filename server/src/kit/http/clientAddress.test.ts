import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientAddress } from './clientAddress.ts'

function createRequest(remoteAddress: string, forwarded?: string): IncomingMessage {
  const request = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }))
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}

test.each([
  ['the socket address, with a forged header', '203.0.113.7', '1.1.1.1', 0, '203.0.113.7'],
  ['the address seen by a single proxy', '10.0.0.1', '1.1.1.1, 203.0.113.7', 1, '203.0.113.7'],
  ['the address seen by the outer of two proxies', '10.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.2', 2, '203.0.113.7'],
  ['the socket address, without a proxy header', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['the IPv4 address of an IPv4-mapped IPv6 address', '::ffff:203.0.113.7', undefined, 0, '203.0.113.7'],
  ['the /64 of IPv6', '2001:db8:1:2:aaaa:bbbb:cccc:dddd', undefined, 0, '2001:db8:1:2::/64'],
  ['the /64 of a shortened IPv6', '2001:db8::1', undefined, 0, '2001:db8:0:0::/64'],
  ['the /64 of IPv6 in another spelling', '192.0.2.1', '2001:0DB8:0001:02::1', 1, '2001:db8:1:2::/64'],
  ['the loopback of IPv6', '::1', undefined, 0, '0:0:0:0::/64'],
])('requests are counted by %s [P-04]', (_what, socket, forwarded, proxies, address) => {
  expect(clientAddress(createRequest(socket, forwarded), proxies)).toBe(address)
})
