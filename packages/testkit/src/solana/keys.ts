import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'

/** A Solana account with its key. */
export type SolanaKey = { address: string; sign(bytes: Uint8Array): Uint8Array }

/** Creates an account from a 32-byte private key in hex. */
export function solanaKey(privateKey: string): SolanaKey {
  const secret = Uint8Array.from(privateKey.replace(/^0x/, '').match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  return {
    address: base58.encode(ed25519.getPublicKey(secret)),
    sign: (bytes) => ed25519.sign(bytes, secret),
  }
}
