import { switchAccount, type InstanceAction } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { useAction, type Action } from './useAction.ts'

const switchAccountNow: InstanceAction<[account: AccountId], void> = async (latchkey, account) =>
  switchAccount(latchkey, account)

/**
 * Switches to another account that the connected wallets share. No wallet request is sent.
 *
 * @returns the state of the last call and the functions that switch. The error is `account/not-found`. `switchAccount` is
 * the same as `mutateAsync`.
 * @example const { mutate } = useSwitchAccount()
 * <button onClick={() => mutate(account)}>Use this account</button>
 */
export function useSwitchAccount(): Action<[account: AccountId], void> & {
  switchAccount(account: AccountId): Promise<void>
} {
  const action = useAction(switchAccountNow)
  return { ...action, switchAccount: action.mutateAsync }
}
