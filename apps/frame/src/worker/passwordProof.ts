import { signWalletProof } from '../custody/signWalletProof.ts'
import type { Evaluate } from '../custody/passwordKey.ts'
import type { AccountService } from '../services/accountService.ts'

/** Tells the auth service that the last password was right, so that it stops counting failures. */
export type PasswordProof = {
  /** Evaluates a blinded password. Each evaluation counts as a failure until the proof. */
  readonly evaluate: Evaluate
  /**
   * Proves that the wallet is open, if a password was evaluated since the last proof. Best effort: the wallet opens
   * without it.
   */
  prove(wallet: { readonly entropy: Uint8Array }): Promise<void>
}

/** Creates the proof of right passwords. */
export function createPasswordProof(
  account: Pick<AccountService, 'evaluate' | 'passkeyChallenge' | 'proveWallet'>,
): PasswordProof {
  let isPending = false

  return {
    evaluate(blinded, version) {
      isPending = true
      return account.evaluate(blinded, version)
    },
    async prove(wallet) {
      if (!isPending) return
      isPending = false
      const entropy = wallet.entropy.slice()
      try {
        const challenge = await account.passkeyChallenge()
        await account.proveWallet({ challenge, signature: await signWalletProof(entropy, challenge) })
      } catch {
        isPending = true
      } finally {
        entropy.fill(0)
      }
    },
  }
}
