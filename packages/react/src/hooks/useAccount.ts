import { getAccount, type AccountState } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useWalletSnapshot } from '../walletSnapshot.ts'

/**
 * Returns the account and network of a namespace. The object is the same until something changes.
 *
 * @param namespace the active namespace if omitted
 * @throws LatchkeyError `adapter/not-found` if the app has no adapter for the namespace
 * @example
 * const account = useAccount()
 * if (account.status === 'connected') return <p>{account.address}</p>
 */
export function useAccount(namespace?: Namespace): AccountState {
  return useWalletSnapshot(`account ${namespace}`, (latchkey) => getAccount(latchkey, namespace))
}
