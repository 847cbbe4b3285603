import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { deriveKeys, phraseOf, wipeKeys } from './seed.ts'

/** A wallet as other wallets take it: the words, and the first key of each family in its own writing. */
export type Secrets = {
  /** Twelve words (BIP-39, English). */
  readonly phrase: string
  /** Hexadecimal with `0x`. */
  readonly evm: string
  /** The private and the public half, 64 bytes in base58. */
  readonly solana: string
}

/** Writes a wallet's secrets for its owner. Text cannot be wiped: this is for an export alone. */
export async function secretsOf(entropy: Uint8Array): Promise<Secrets> {
  const keys = await deriveKeys(entropy)
  const { evm, solana } = keys
  const pair = concatBytes(solana.privateKey, ed25519.getPublicKey(solana.privateKey))
  try {
    return { phrase: phraseOf(entropy), evm: `0x${bytesToHex(evm.privateKey)}`, solana: base58.encode(pair) }
  } finally {
    wipeKeys(keys)
    pair.fill(0)
  }
}
