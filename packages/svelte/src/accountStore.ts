import {
  getAccount,
  getAccounts,
  getConnections,
  type AccountState,
  type Connector,
  type Latchkey,
  type SharedAccount,
  type SignInState,
  type WalletConnection,
} from '@latchkey/core'
import { modalOf } from '@latchkey/modal'
import type { Namespace } from '@latchkey/protocol'
import { toReadable, type Readable } from './toReadable.ts'

export type { Readable }

/**
 * Creates a store of the account and network of a namespace.
 *
 * @param namespace the active namespace if omitted
 * @example
 * const account = accountStore(latchkey)
 * const stop = account.subscribe(({ status }) => show(status))
 */
export function accountStore(latchkey: Latchkey, namespace?: Namespace): Readable<AccountState> {
  return toReadable(latchkey.wallet, () => getAccount(latchkey, namespace))
}

/**
 * Creates a store of the accounts that the connected wallets share.
 *
 * @example const accounts = accountsStore(latchkey, 'eip155')
 */
export function accountsStore(latchkey: Latchkey, namespace?: Namespace): Readable<readonly SharedAccount[]> {
  return toReadable(latchkey.wallet, () => getAccounts(latchkey, namespace))
}

/**
 * Creates a store of the connected wallets.
 *
 * @example const connections = connectionsStore(latchkey)
 */
export function connectionsStore(latchkey: Latchkey, namespace?: Namespace): Readable<readonly WalletConnection[]> {
  return toReadable(latchkey.wallet, () => getConnections(latchkey, namespace))
}

/**
 * Creates a store of the wallets that can be connected now.
 *
 * @example const available = connectorsStore(latchkey)
 */
export function connectorsStore({ connectors }: Pick<Latchkey, 'connectors'>): Readable<readonly Connector[]> {
  return toReadable(connectors, connectors.getState)
}

/**
 * Creates a store of the sign-in of the active account.
 *
 * @example const state = signInStateStore(latchkey)
 */
export function signInStateStore({ signIn }: Pick<Latchkey, 'signIn'>): Readable<SignInState> {
  return toReadable(signIn, signIn.getState)
}

/**
 * Creates a store that is true while the modal is open.
 *
 * @example const isOpen = modalStore(latchkey)
 */
export function modalStore(latchkey: Latchkey): Readable<boolean> {
  const { state } = modalOf(latchkey)
  return toReadable(state, () => state.getState().open)
}
