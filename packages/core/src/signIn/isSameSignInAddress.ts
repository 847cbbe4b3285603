/** True if two strings are the same address. Hexadecimal digits match in any case, because capitals are a checksum. */
export function isSameSignInAddress(one: string, other: string): boolean {
  const isHex = one.startsWith('0x') && other.startsWith('0x')
  return isHex ? one.toLowerCase() === other.toLowerCase() : one === other
}
