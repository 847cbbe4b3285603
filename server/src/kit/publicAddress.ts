import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What the internet gives out to everybody; what lies outside is somebody's own, or of no use. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** IPv6 networks reach the IPv4 internet through these addresses (RFC 6052). */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an address, IPv4 or IPv6, belongs to the public internet: to neither this machine, nor a private network, nor
 * the services that clouds offer to the machines inside. An IPv4 address that hides in an IPv6 one is judged by itself.
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
