import { mnemonicToAccount, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { toHex } from 'viem'
import type { Account } from '../namespaceAdapter.ts'

/** The recovery phrase that every development chain funds. It is public, so this wallet may show it. */
const developmentMnemonic = 'test test test test test test test test test test test junk'

/** An account with its signer. */
export type EvmAccount = Account & { namespace: 'eip155'; address: `0x${string}`; signer: PrivateKeyAccount }

/** The names of the accounts with the indexes 1, 2, …. Index 0 deploys the contracts of the local chain. */
const names = ['Wallet', 'Savings', 'Travel'] as const

/** Derives the development accounts (BIP-44, `m/44'/60'/0'/0/…`). */
export function createEvmAccounts(): [EvmAccount, ...EvmAccount[]] {
  // Key stretching is slow, so it runs once, for the parent of all keys.
  const parent = mnemonicToAccount(developmentMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const derive = (name: string, index: number): EvmAccount => {
    const { privateKey } = parent.deriveChild(index)
    if (privateKey === null) throw new Error('The derived key has no private key.')
    const signer = privateKeyToAccount(toHex(privateKey))
    return { namespace: 'eip155', address: signer.address, name, origin: `Dev key ${index}`, signer }
  }
  const [first, ...others] = names
  return [derive(first, 1), ...others.map((name, at) => derive(name, at + 2))]
}
