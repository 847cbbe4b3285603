import type { AccountId, ChainId } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { getActiveConnection } from '../../state/connectedWallets.ts'
import { accountStateOf } from '../../state/getAccount.ts'
import { validateSend } from './validateSend.ts'
import { invalidateRequests } from './requests.ts'
import { emptySend, type SendState } from './sendState.ts'

const sendStore = defineFeature((latchkey) => {
  const store = createStore<SendState>(() => emptySend)
  let previous = subjectOf(latchkey)
  latchkey.wallet.subscribe(() => {
    const current = subjectOf(latchkey)
    if (current === previous) return
    previous = current
    // Responses about the previous account must not reach this form.
    invalidateRequests(latchkey)
    // A request that the wallet received stays open until the wallet responds.
    store.setState({ ...emptySend, loading: store.getState().loading }, true)
  })
  return store
})

/**
 * Returns the payment form as a store. Changing the account or network resets it.
 *
 * @example const { status } = sendState(latchkey).getState()
 */
export function sendState(latchkey: Latchkey): StoreApi<SendState> {
  return getFeature(latchkey, sendStore)
}

/** Changes the payment, and validates it again. */
export function patchSend(latchkey: Latchkey, change: Partial<SendState>): SendState {
  const store = sendState(latchkey)
  const next = { ...store.getState(), ...change }
  const account = accountStateOf(latchkey)
  const paysNoGas = account.status === 'connected' && account.type === 'smartAccount'
  store.setState({ ...next, status: validateSend(next, paysNoGas) }, true)
  return store.getState()
}

/** True while a wallet request is pending. The payment can't be changed then. */
export function isSending(latchkey: Latchkey): boolean {
  return sendState(latchkey).getState().loading
}

/** Returns the account that pays, on its network, or undefined if no wallet is connected. */
export function subjectOf(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
): string | undefined {
  const account = accountStateOf(latchkey)
  return account.status === 'connected' ? account.account : undefined
}

/** The account that pays, its network and its adapter. */
export type Payer = ReturnType<typeof getActiveConnection> & { readonly from: AccountId; readonly chainId: ChainId }

/**
 * Returns the connected account as the payer.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function payerOf(latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet'>): Payer {
  const live = getActiveConnection(latchkey)
  return { ...live, from: live.state.account, chainId: live.network.caipNetworkId }
}
