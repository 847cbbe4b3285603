/**
 * Returns the network of an address: the /24 of IPv4, the /48 of IPv6. It identifies a neighbourhood and not a person, and one
 * customer rarely has many of them.
 *
 * @param address as `clientAddress` returns it
 */
export function networkPrefix(address: string): string {
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return `${address.split(':').slice(0, 3).join(':')}::/48`
}
