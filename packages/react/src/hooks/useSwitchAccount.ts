import { switchAccount } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'

/**
 * Returns a function that switches to another account that the connected wallets share. No wallet request is sent.
 *
 * @example const { switchAccount } = useSwitchAccount()
 */
export function useSwitchAccount(): {
  /** @throws LatchkeyError `account/not-found` */
  switchAccount(account: AccountId): void
} {
  const latchkey = useLatchkey()
  return { switchAccount: (account) => switchAccount(latchkey, account) }
}
