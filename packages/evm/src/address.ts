/** Whether a text has the form of an address: 40 hexadecimal digits, with `0x` before them or not. */
export function isAddress(value: string): boolean {
  return /^(0x)?[0-9a-f]{40}$/i.test(value)
}

/** Reads the list that `eth_accounts` and `accountsChanged` tell, each once; undefined when it is no list of addresses. */
export function readAddresses(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const addresses = new Map<string, string>()
  try {
    for (const item of value) {
      if (typeof item !== 'string' || !item.startsWith('0x') || !isAddress(item)) return undefined
      const known = item.toLowerCase()
      if (!addresses.has(known)) addresses.set(known, item)
    }
  } catch {
    // A list of a wallet in the page may throw when it is looked at.
    return undefined
  }
  return [...addresses.values()]
}
