import type { IncomingMessage } from 'node:http'

/**
 * Gets the address that rate limits count by. Behind N trusted proxies it is the Nth entry of X-Forwarded-For from the
 * right, because clients can write the entries to the left of it. IPv6 addresses are cut to their /64, the network of one
 * customer.
 *
 * @param trustedProxies the number of the operator's proxies in front of the server; 0 uses the socket's address
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  return toNetworkPrefix(fullClientAddress(request, trustedProxies))
}

/** Gets the same address, for IPv6 in full length. IPv4 addresses that are written as IPv6 become IPv4. */
export function fullClientAddress(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  const claimed = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  const address = claimed === undefined || claimed === '' ? (request.socket.remoteAddress ?? '') : claimed
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

function toNetworkPrefix(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups.slice(0, 4).map(normalizeGroup).join(':')}::/64`
}

/** A proxy may pass an address on as its client wrote it, with capital letters or leading zeros. */
function normalizeGroup(group: string): string {
  return /^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16).toString(16) : group
}
