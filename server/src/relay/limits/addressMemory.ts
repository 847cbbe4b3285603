import { networksPerPrefix, widePrefix } from '../../kit/limits/limitWidePrefixes.ts'

/**
 * The memory that the connections of each address take in this process, estimated. A client chooses its id, so limits per client
 * and per connection alone would let one address take them many times.
 */
export type AddressMemory = {
  /** True if an address, or the /48 of an IPv6 network, has its maximum. */
  isFull(address: string): boolean
  /** Adds bytes that the connections of an address take; negative if they are free again. */
  change(address: string, bytes: number): void
  /** The bytes of all addresses together. */
  total(): number
  /** The bytes of the address that has the most. */
  largest(): number
}

/**
 * Creates the account of all addresses. Addresses whose connections take nothing are forgotten.
 *
 * @param maximum bytes of one address, in the form of `clientAddress`; a /48 has the maximum of 16 networks
 * @example const memory = createAddressMemory(32 * 1024 * 1024)
 */
export function createAddressMemory(maximum: number): AddressMemory {
  const addresses = new Map<string, number>()
  const prefixes = new Map<string, number>()
  let total = 0

  return {
    isFull(address) {
      if ((addresses.get(address) ?? 0) >= maximum) return true
      // Only few prefixes have entries, and most addresses are IPv4.
      const prefix = prefixes.size === 0 ? undefined : widePrefix(address)
      return prefix !== undefined && (prefixes.get(prefix) ?? 0) >= maximum * networksPerPrefix
    },
    change(address, bytes) {
      total += bytes
      addTo(addresses, address, bytes)
      const prefix = widePrefix(address)
      if (prefix !== undefined) addTo(prefixes, prefix, bytes)
    },
    total: () => total,
    largest() {
      let most = 0
      for (const bytes of addresses.values()) most = Math.max(most, bytes)
      return most
    },
  }
}

function addTo(sums: Map<string, number>, key: string, bytes: number): void {
  const sum = (sums.get(key) ?? 0) + bytes
  if (sum === 0) sums.delete(key)
  else sums.set(key, sum)
}
