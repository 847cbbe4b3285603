import { getAccount, type AccountState, type Latchkey, type WalletState } from '@latchkey/core'
import { companion } from '../companions.ts'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

const accountsKey = Symbol('accounts')

/**
 * The account and network of the active namespace. The same object as long as nothing changes.
 *
 * @example
 * const account = useAccount()
 * if (account.status === 'connected') return <p>{account.address}</p>
 */
export function useAccount(): AccountState {
  const latchkey = useLatchkey()
  return accountIn(latchkey, useStore(latchkey.wallet))
}

function accountIn(latchkey: Latchkey, state: WalletState): AccountState {
  const accounts = companion(latchkey, accountsKey, () => new WeakMap<WalletState, AccountState>())
  const present = accounts.get(state)
  if (present !== undefined) return present
  const account = getAccount({ ...latchkey, wallet: { ...latchkey.wallet, getState: () => state } })
  accounts.set(state, account)
  return account
}
