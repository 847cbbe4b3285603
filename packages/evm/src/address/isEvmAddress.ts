/** True if a string has the form of an address: 40 hex digits, with or without `0x`. */
export function isEvmAddress(value: string): boolean {
  return /^(0x)?[0-9a-f]{40}$/i.test(value)
}
