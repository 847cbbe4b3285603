import {
  connect,
  disconnect,
  sendTransaction,
  signIn,
  signMessage,
  switchAccount,
  switchConnection,
  switchNetwork,
  type ActionCalls,
  type InstanceAction,
  type ActionState,
  type ConnectOptions,
  type DisconnectTarget,
  type RequestOptions,
  type TransactionRequest,
} from '@latchkey/core'
import { createAction } from '@latchkey/core/internal'
import type { AccountId, ChainId, Namespace, SignInSession } from '@latchkey/protocol'
import { computed, type ComputedRef } from 'vue'
import { useLatchkey } from './latchkeyPlugin.ts'
import { useStore } from './useStore.ts'

/** An action as a composable returns it: the state of its last call as refs, and the functions that call it. */
export type Action<args extends readonly unknown[], data> = ActionCalls<args, data> & {
  status: ComputedRef<ActionState<data>['status']>
  data: ComputedRef<data | undefined>
  error: ComputedRef<unknown>
}

/**
 * Tracks the calls of an action of `@latchkey/core`, or of a function of your own. If calls overlap, the last one
 * determines the state.
 *
 * @param action a function whose first parameter is the instance
 * @example const { mutate, status } = useAction(signMessage)
 */
export function useAction<args extends readonly unknown[], data>(
  action: InstanceAction<args, data>,
): Action<args, data> {
  const latchkey = useLatchkey()
  const { state, ...calls } = createAction<args, data>((...args) => action(latchkey, ...args))
  const live = useStore(state, state.getState)
  return {
    ...calls,
    status: computed(() => live.value.status),
    data: computed(() => live.value.data),
    error: computed(() => live.value.error),
  }
}

function composableOf<args extends readonly unknown[], data>(
  action: InstanceAction<args, data>,
): () => Action<args, data> {
  return () => useAction(action)
}

/**
 * Connects a wallet without the modal.
 *
 * @example const { mutate, status } = useConnect()
 * mutate('io.example.wallet')
 */
export const useConnect: () => Action<[connectorId: string, options?: ConnectOptions], AccountId> =
  /* @__PURE__ */ composableOf(connect)

/**
 * Disconnects one wallet, one namespace, or everything.
 *
 * @example useDisconnect().mutate()
 */
export const useDisconnect: () => Action<[target?: DisconnectTarget], void> = /* @__PURE__ */ composableOf(disconnect)

/**
 * Switches to another network of the app.
 *
 * @example useSwitchNetwork().mutate('eip155:8453')
 */
export const useSwitchNetwork: () => Action<[chainId: ChainId], void> = /* @__PURE__ */ composableOf(switchNetwork)

/**
 * Asks the connected wallet to sign a text message.
 *
 * @example useSignMessage().mutate('Hello')
 */
export const useSignMessage: () => Action<[message: string, options?: RequestOptions], string> =
  /* @__PURE__ */ composableOf(signMessage)

/**
 * Asks the connected wallet to send a transaction.
 *
 * @example useSendTransaction().mutate({ to, value: 1n })
 */
export const useSendTransaction: () => Action<[request: TransactionRequest, options?: RequestOptions], string> =
  /* @__PURE__ */ composableOf(sendTransaction)

/**
 * Signs in with the connected wallet. `useSignInState` returns the state.
 *
 * @example useSignIn().mutate()
 */
export function useSignIn(): Action<[], SignInSession> {
  return useAction<[], SignInSession>((latchkey) => signIn(latchkey))
}

/**
 * Switches to another account that the connected wallets share. No wallet request is sent.
 *
 * @example useSwitchAccount().mutate(account)
 */
export function useSwitchAccount(): Action<[account: AccountId], void> {
  return useAction<[account: AccountId], void>(async (latchkey, account) => switchAccount(latchkey, account))
}

/** A connected wallet, and optionally the account to use. */
export type ConnectionTarget = { namespace: Namespace; connectorId: string; account?: AccountId }

/**
 * Makes another connected wallet the primary one. No wallet request is sent.
 *
 * @example useSwitchConnection().mutate({ namespace: 'eip155', connectorId: 'io.example.wallet' })
 */
export function useSwitchConnection(): Action<[target: ConnectionTarget], void> {
  return useAction<[target: ConnectionTarget], void>(async (latchkey, target) => switchConnection(latchkey, target))
}
