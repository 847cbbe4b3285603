import {
  connect,
  disconnect,
  sendTransaction,
  signIn,
  signMessage,
  switchNetwork,
  type ActionCalls,
  type InstanceAction,
  type ActionState,
  type ConnectOptions,
  type DisconnectTarget,
  type Latchkey,
  type RequestOptions,
  type TransactionRequest,
} from '@latchkey/core'
import { createAction } from '@latchkey/core/internal'
import type { AccountId, ChainId, SignInSession } from '@latchkey/protocol'
import { toReadable, type Readable } from './toReadable.ts'

/** An action as a store: its value is the state of the last call, and its functions call it. */
export type ActionStore<args extends readonly unknown[], data> = Readable<ActionState<data>> & ActionCalls<args, data>

/**
 * Creates a store for an action of `@latchkey/core`, or for a function of your own. If calls overlap, the last one
 * determines the state.
 *
 * @param action a function whose first parameter is the instance
 * @example
 * const signing = actionStore(latchkey, signMessage)
 * signing.mutate('Hello')
 */
export function actionStore<args extends readonly unknown[], data>(
  latchkey: Latchkey,
  action: InstanceAction<args, data>,
): ActionStore<args, data> {
  const { state, ...calls } = createAction<args, data>((...args) => action(latchkey, ...args))
  return { ...toReadable(state, state.getState), ...calls }
}

/**
 * Creates a store that connects wallets without the modal.
 *
 * @example connectStore(latchkey).mutate('io.example.wallet')
 */
export function connectStore(
  latchkey: Latchkey,
): ActionStore<[connectorId: string, options?: ConnectOptions], AccountId> {
  return actionStore(latchkey, connect)
}

/**
 * Creates a store that disconnects.
 *
 * @example disconnectStore(latchkey).mutate()
 */
export function disconnectStore(latchkey: Latchkey): ActionStore<[target?: DisconnectTarget], void> {
  return actionStore(latchkey, disconnect)
}

/**
 * Creates a store that switches the network.
 *
 * @example switchNetworkStore(latchkey).mutate('eip155:8453')
 */
export function switchNetworkStore(latchkey: Latchkey): ActionStore<[chainId: ChainId], void> {
  return actionStore(latchkey, switchNetwork)
}

/**
 * Creates a store that signs text messages.
 *
 * @example signMessageStore(latchkey).mutate('Hello')
 */
export function signMessageStore(latchkey: Latchkey): ActionStore<[message: string, options?: RequestOptions], string> {
  return actionStore(latchkey, signMessage)
}

/**
 * Creates a store that sends transactions.
 *
 * @example sendTransactionStore(latchkey).mutate({ to, value: 1n })
 */
export function sendTransactionStore(
  latchkey: Latchkey,
): ActionStore<[request: TransactionRequest, options?: RequestOptions], string> {
  return actionStore(latchkey, sendTransaction)
}

/**
 * Creates a store that signs in.
 *
 * @example signInStore(latchkey).mutate()
 */
export function signInStore(latchkey: Latchkey): ActionStore<[], SignInSession> {
  return actionStore<[], SignInSession>(latchkey, (instance) => signIn(instance))
}
