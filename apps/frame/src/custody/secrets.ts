import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { deriveWalletKeys, toRecoveryPhrase, wipeWalletKeys } from './walletKeys.ts'

/** The wallet's secrets in the formats that other wallets import. */
export type Secrets = {
  /** Recovery phrase: twelve words (BIP-39, English). */
  readonly phrase: string
  /** Hexadecimal with `0x`. */
  readonly evm: string
  /** Private and public key, 64 bytes in base58. */
  readonly solana: string
}

/** Formats a wallet's secrets. Strings can't be wiped, so use this for an export only. */
export async function exportSecrets(entropy: Uint8Array): Promise<Secrets> {
  const keys = await deriveWalletKeys(entropy)
  const { evm, solana } = keys
  const pair = concatBytes(solana.privateKey, ed25519.getPublicKey(solana.privateKey))
  try {
    return { phrase: toRecoveryPhrase(entropy), evm: `0x${bytesToHex(evm.privateKey)}`, solana: base58.encode(pair) }
  } finally {
    wipeWalletKeys(keys)
    pair.fill(0)
  }
}
