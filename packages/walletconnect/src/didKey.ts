import { base58 } from '@scure/base'

/** The multicodec prefix of an Ed25519 public key. */
const ed25519Prefix = [0xed, 0x01] as const

/** Writes an Ed25519 public key as `did:key` (W3C did:key method): what a relay knows a client by. */
export function didKey(publicKey: Uint8Array): string {
  return `did:key:z${base58.encode(Uint8Array.from([...ed25519Prefix, ...publicKey]))}`
}
