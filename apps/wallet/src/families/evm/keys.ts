import { mnemonicToAccount, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { toHex } from 'viem'
import type { Account } from '../family.ts'

/** The phrase that every development chain funds. Anybody can use it, which is why this wallet may show it. */
const developmentMnemonic = 'test test test test test test test test test test test junk'

/** An account with what signs for it. */
export type EvmAccount = Account & { namespace: 'eip155'; address: `0x${string}`; signer: PrivateKeyAccount }

/** The names of the accounts with the indexes 1, 2, …; index 0 deploys the contracts of the local world. */
const names = ['Wallet', 'Savings', 'Travel'] as const

/** Derives the development accounts (BIP-44, `m/44'/60'/0'/0/…`). */
export function developmentAccounts(): [EvmAccount, ...EvmAccount[]] {
  // Stretching the phrase is what takes long, so it is done once, for the parent of all.
  const parent = mnemonicToAccount(developmentMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const derive = (name: string, index: number): EvmAccount => {
    const { privateKey } = parent.deriveChild(index)
    if (privateKey === null) throw new Error('A parent with a private key has children with one.')
    const signer = privateKeyToAccount(toHex(privateKey))
    return { namespace: 'eip155', address: signer.address, name, origin: `Dev key ${index}`, signer }
  }
  const [first, ...others] = names
  return [derive(first, 1), ...others.map((name, at) => derive(name, at + 2))]
}
