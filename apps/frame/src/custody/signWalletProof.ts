import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { deriveSolana } from './walletKeys.ts'

/** The first byte is not a version of a Solana transaction, so that a proof is never a transaction. */
const prefix = concatBytes(Uint8Array.of(0xff), utf8ToBytes('latchkey/wallet-proof/1'))

/**
 * Proves to the auth service that this device opened the wallet.
 *
 * @param challenge challenge of the auth service, 32 bytes
 * @returns signature of the wallet's first Solana account (Ed25519), 64 bytes
 */
export async function signWalletProof(entropy: Uint8Array, challenge: Uint8Array): Promise<Uint8Array> {
  const { privateKey } = await deriveSolana(entropy, 0)
  try {
    return ed25519.sign(concatBytes(prefix, challenge), privateKey)
  } finally {
    privateKey.fill(0)
  }
}
