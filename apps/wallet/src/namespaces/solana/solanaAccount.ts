import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, hex } from '@scure/base'
import type { Account } from '../namespaceAdapter.ts'

/** An account with its signer. */
export type SolanaAccount = Account & { namespace: 'solana'; sign(bytes: Uint8Array): Uint8Array }

/**
 * The keys 1, 2 and 3 of the recovery phrase that every development chain funds, at `m/44'/501'/i'/0'` (SLIP-0010).
 * They are public, so they may appear in the source. Deriving them would take longer than the rest of the start.
 */
const developmentKeys = [
  { name: 'Wallet', key: '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61' },
  { name: 'Savings', key: '8eabe4c79ac3a146c1bc447a64233ea70694669b997b0565039471b2939e8c5e' },
  { name: 'Travel', key: 'f55bf85006beb673056861062dd8f8d8ff0bb63dd61d45f86fe438bf6e442abb' },
] as const

export function createSolanaAccounts(): [SolanaAccount, ...SolanaAccount[]] {
  const [first, ...others] = developmentKeys
  return [toSolanaAccount(first, 1), ...others.map((each, at) => toSolanaAccount(each, at + 2))]
}

function toSolanaAccount({ name, key }: { name: string; key: string }, index: number): SolanaAccount {
  const secret = hex.decode(key)
  const address = base58.encode(ed25519.getPublicKey(secret))
  const sign = (bytes: Uint8Array): Uint8Array => ed25519.sign(bytes, secret)
  return { namespace: 'solana', address, name, origin: `Solana dev key ${index}`, sign }
}
