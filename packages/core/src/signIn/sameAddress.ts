/** Whether two texts are one address: hexadecimal digits count in any case, as their capitals are a checksum. */
export function sameAddress(one: string, other: string): boolean {
  const isHex = one.startsWith('0x') && other.startsWith('0x')
  return isHex ? one.toLowerCase() === other.toLowerCase() : one === other
}
