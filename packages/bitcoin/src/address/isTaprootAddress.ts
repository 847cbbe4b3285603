/** True if an address is locked by a Taproot key (BIP-86). Its owner signs with Schnorr signatures. */
export function isTaprootAddress(address: string): boolean {
  return /^(bc|tb|bcrt)1p/i.test(address)
}
