import {
  getAccount,
  getAccounts,
  getConnections,
  type AccountState,
  type Connector,
  type SharedAccount,
  type SignInState,
  type WalletConnection,
} from '@latchkey/core'
import { closeModal, modalOf, openModal, type OpenOptions } from '@latchkey/modal'
import type { Namespace, Network } from '@latchkey/protocol'
import { computed, type ComputedRef, type MaybeRefOrGetter, type ShallowRef } from 'vue'
import { useLatchkey } from './latchkeyPlugin.ts'
import { useStore, useStoreOf } from './useStore.ts'

/**
 * Returns the account and network of a namespace.
 *
 * @param namespace the active namespace if omitted
 * @example const account = useAccount()
 */
export function useAccount(namespace?: MaybeRefOrGetter<Namespace | undefined>): Readonly<ShallowRef<AccountState>> {
  const latchkey = useLatchkey()
  return useStoreOf(latchkey.wallet, namespace, (about) => getAccount(latchkey, about))
}

/**
 * Returns the accounts that the connected wallets share.
 *
 * @example const accounts = useAccounts('eip155')
 */
export function useAccounts(
  namespace?: MaybeRefOrGetter<Namespace | undefined>,
): Readonly<ShallowRef<readonly SharedAccount[]>> {
  const latchkey = useLatchkey()
  return useStoreOf(latchkey.wallet, namespace, (about) => getAccounts(latchkey, about))
}

/**
 * Returns the connected wallets.
 *
 * @example const connections = useConnections()
 */
export function useConnections(
  namespace?: MaybeRefOrGetter<Namespace | undefined>,
): Readonly<ShallowRef<readonly WalletConnection[]>> {
  const latchkey = useLatchkey()
  return useStoreOf(latchkey.wallet, namespace, (about) => getConnections(latchkey, about))
}

/**
 * Returns the wallets that can be connected now.
 *
 * @example const connectors = useConnectors()
 */
export function useConnectors(): Readonly<ShallowRef<readonly Connector[]>> {
  const { connectors } = useLatchkey()
  return useStore(connectors, connectors.getState)
}

/**
 * Returns the networks of the app and the current one. `useSwitchNetwork` switches.
 *
 * @example const { networks, active } = useNetworks()
 */
export function useNetworks(): { networks: readonly Network[]; active: ComputedRef<Network | undefined> } {
  const { networks } = useLatchkey()
  const account = useAccount()
  return { networks, active: computed(() => account.value.network) }
}

/**
 * Returns the sign-in of the active account. `useSignIn` signs in.
 *
 * @example const state = useSignInState()
 */
export function useSignInState(): Readonly<ShallowRef<SignInState>> {
  const { signIn } = useLatchkey()
  return useStore(signIn, signIn.getState)
}

/**
 * Returns the state of the modal, and functions that open and close it.
 *
 * @example const { open } = useModal()
 */
export function useModal(): {
  isOpen: Readonly<ShallowRef<boolean>>
  open(options?: OpenOptions): void
  close(): void
} {
  const latchkey = useLatchkey()
  const { state } = modalOf(latchkey)
  return {
    isOpen: useStore(state, () => state.getState().open),
    open: (options) => openModal(latchkey, options),
    close: () => closeModal(latchkey),
  }
}
