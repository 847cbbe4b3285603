const bech32 = /^(bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}$/
const base58 = /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/

/** True if a string has the form of an address of any Bitcoin network. `parseBitcoinAddress` also verifies the checksum. */
export function isBitcoinAddress(value: string): boolean {
  // Bech32 addresses are written in one case, usually lower case.
  return base58.test(value) || bech32.test(value === value.toUpperCase() ? value.toLowerCase() : value)
}
