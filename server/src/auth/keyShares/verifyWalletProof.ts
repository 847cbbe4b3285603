import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { WalletAccount } from './authShares.ts'

/**
 * The first byte is not a version of a Solana transaction, so a proof is never a transaction. The rest keeps proofs apart from
 * signed messages.
 */
const prefix = Buffer.concat([Buffer.of(0xff), Buffer.from('latchkey/wallet-proof/1')])

/** Returns the bytes that a wallet signs to prove that a device opened it. */
export function walletProofBytes(challenge: Uint8Array): Buffer {
  return Buffer.concat([prefix, challenge])
}

/**
 * Verifies that the keys of a wallet signed a challenge (Ed25519). The accounts are those that the first device of the wallet
 * stored; later enrolments don't change them.
 *
 * @returns false for a wrong signature, or if the wallet has no account whose address is an Ed25519 key
 */
export function verifyWalletProof(
  accounts: readonly WalletAccount[],
  { challenge, signature }: { challenge: Uint8Array; signature: Uint8Array },
): boolean {
  const account = accounts.find(({ namespace }) => namespace === 'solana')
  if (account === undefined) return false
  try {
    const key = base58.decode(account.address)
    return ed25519.verify(Uint8Array.from(signature), Uint8Array.from(walletProofBytes(challenge)), key, {
      zip215: false,
    })
  } catch {
    return false
  }
}
