/**
 * Lower-cases a hex address, whose letters only carry a checksum (ERC-55). Other addresses are returned unchanged, because
 * upper and lower case differ in base58, so that other letters are another address.
 *
 * @example normalizeAddress('0xABcd…') // '0xabcd…'
 */
export function normalizeAddress(address: string): string {
  return /^0x/i.test(address) ? address.toLowerCase() : address
}
