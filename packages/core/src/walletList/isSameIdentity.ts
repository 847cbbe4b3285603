/** The names of a wallet that identify it. */
export type WalletIdentity = { name: string; rdns?: string }

/** True if two connectors or entries name one wallet: by reverse-DNS name, or by name if one of them has no other. */
export function isSameIdentity(one: WalletIdentity, other: WalletIdentity): boolean {
  if (one.rdns !== undefined && other.rdns !== undefined) return one.rdns === other.rdns
  return one.name.toLowerCase() === other.name.toLowerCase()
}
