import { isEvmAddress } from './isEvmAddress.ts'

/** Parses the list of `eth_accounts` and `accountsChanged` without duplicates. Returns `undefined` if it is invalid. */
export function parseEvmAddresses(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const addresses = new Map<string, string>()
  try {
    for (const item of value) {
      if (typeof item !== 'string' || !item.startsWith('0x') || !isEvmAddress(item)) return undefined
      const known = item.toLowerCase()
      if (!addresses.has(known)) addresses.set(known, item)
    }
  } catch {
    // A wallet of the page may return a list that throws when it is read.
    return undefined
  }
  return [...addresses.values()]
}
