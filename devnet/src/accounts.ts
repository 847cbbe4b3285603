import { mnemonicToAccount, type HDAccount } from 'viem/accounts'

/** The phrase of every development chain. Its keys are public: nothing of worth may ever be sent to them. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** How many accounts are funded. */
export const accountCount = 10

/** Who uses which account, by its index: the deployer is the last, so that nobody's nonce depends on it. */
export const roles = { visitor: 0, wallet: 1, spare: 3, deployer: 9 } as const

/** A funded account of the local chains. */
export function localAccount(index: number): HDAccount {
  return mnemonicToAccount(mnemonic, { addressIndex: index })
}
