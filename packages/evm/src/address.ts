/** Whether a text has the form of an address: 40 hexadecimal digits, with `0x` before them or not. */
export function isAddress(value: string): boolean {
  return /^(0x)?[0-9a-f]{40}$/i.test(value)
}

/** Reads the list that `eth_accounts` and `accountsChanged` tell; undefined when it is no list of addresses. */
export function readAddresses(value: unknown): readonly `0x${string}`[] | undefined {
  if (!Array.isArray(value)) return undefined
  const addresses = value.filter((item): item is `0x${string}` => typeof item === 'string' && isPrefixed(item))
  return addresses.length === value.length ? addresses : undefined
}

function isPrefixed(value: string): boolean {
  return isAddress(value) && value.startsWith('0x')
}
