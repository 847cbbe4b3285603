const bech32 = /^(bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}$/
const base58 = /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/

/** Whether a text has the form of an address of some Bitcoin network. Its checksum is looked at before it is used. */
export function isAddress(value: string): boolean {
  return base58.test(value) || bech32.test(value) || (bech32.test(value.toLowerCase()) && value === value.toUpperCase())
}
