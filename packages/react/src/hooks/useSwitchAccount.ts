import { switchAccount } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'

/**
 * Goes on with another of the accounts that the connected wallets share. No wallet is asked.
 *
 * @example const { switchAccount } = useSwitchAccount()
 */
export function useSwitchAccount(): {
  /** @throws LatchkeyError `account/not-found`. */
  switchAccount(account: AccountId): void
} {
  const latchkey = useLatchkey()
  return { switchAccount: (account) => switchAccount(latchkey, account) }
}
