/** Whether an address is locked by a Taproot key (BIP-86), whose owner signs by Schnorr. */
export function isTaproot(address: string): boolean {
  return /^(bc|tb|bcrt)1p/i.test(address)
}
