import { getAccount, type AccountState, type Latchkey, type WalletState } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { companion } from '../companions.ts'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

const accountsKey = Symbol('accounts')

/**
 * The account and network of a chain family, of the active one when left out. The same object as long as nothing changes.
 *
 * @throws LatchkeyError `adapter/not-found` for a chain family that the app has no adapter of.
 * @example
 * const account = useAccount()
 * if (account.status === 'connected') return <p>{account.address}</p>
 */
export function useAccount(namespace?: Namespace): AccountState {
  const latchkey = useLatchkey()
  return accountIn(latchkey, useStore(latchkey.wallet), namespace)
}

function accountIn(latchkey: Latchkey, state: WalletState, namespace: Namespace | undefined): AccountState {
  const states = companion(latchkey, accountsKey, () => new WeakMap<WalletState, Map<string, AccountState>>())
  const accounts = states.get(state) ?? new Map<string, AccountState>()
  states.set(state, accounts)
  const key = namespace ?? ''
  const account =
    accounts.get(key) ?? getAccount({ ...latchkey, wallet: { ...latchkey.wallet, getState: () => state } }, namespace)
  accounts.set(key, account)
  return account
}
