import { getAccount, type AccountState } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useWalletSnapshot } from '../walletSnapshot.ts'

/**
 * The account and network of a chain family, of the active one when left out. The same object as long as nothing changes.
 *
 * @throws LatchkeyError `adapter/not-found` for a chain family that the app has no adapter of.
 * @example
 * const account = useAccount()
 * if (account.status === 'connected') return <p>{account.address}</p>
 */
export function useAccount(namespace?: Namespace): AccountState {
  return useWalletSnapshot(`account ${namespace}`, (latchkey) => getAccount(latchkey, namespace))
}
