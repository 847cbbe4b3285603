import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The public unicast addresses of the internet. Other ranges are private or reserved. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** IPv4 addresses as IPv6 networks write them (RFC 6052). */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * True if an IPv4 or IPv6 address belongs to the public internet, and not to this machine, a private network, or the
 * metadata services of clouds. An IPv4 address inside an IPv6 address is checked by itself.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  if (address.match(translated)) return isPublicAddress(lastFourBytes(address))
  return address.match(globalUnicast) && address.range() === 'unicast'
}

function lastFourBytes(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.')
}
