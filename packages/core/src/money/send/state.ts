import type { AccountId, ChainId } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'
import { requireConnected } from '../../state/standing.ts'
import { getAccount } from '../../state/wallet.ts'
import { judge } from './judge.ts'
import { emptySend, type SendState } from './payment.ts'

const key = Symbol('send')

/**
 * The payment in preparation. It begins anew when the account or the network is another one.
 *
 * @example const { status } = sendState(latchkey).getState()
 */
export function sendState(latchkey: Latchkey): StoreApi<SendState> {
  return companion(latchkey, key, () => {
    const store = createStore<SendState>(() => emptySend)
    let about = subjectOf(latchkey)
    latchkey.wallet.subscribe(() => {
      const now = subjectOf(latchkey)
      if (now === about) return
      about = now
      // What a wallet was asked stays asked: only its answer ends it.
      store.setState({ ...emptySend, loading: store.getState().loading }, true)
    })
    return store
  })
}

/** Changes the payment, and says anew what is missing. */
export function patchSend(latchkey: Latchkey, change: Partial<SendState>): SendState {
  const store = sendState(latchkey)
  const next = { ...store.getState(), ...change }
  const account = getAccount(latchkey)
  const paysNoGas = account.status === 'connected' && account.type === 'smartAccount'
  store.setState({ ...next, status: judge(next, paysNoGas) }, true)
  return store.getState()
}

/** Whether a wallet has been asked: what it was asked cannot be changed any more. */
export function isUnderWay(latchkey: Latchkey): boolean {
  return sendState(latchkey).getState().loading
}

/** Whose payment it is, and on which network; undefined when nobody is connected. */
export function subjectOf(latchkey: Latchkey): string | undefined {
  const account = getAccount(latchkey)
  return account.status === 'connected' ? account.account : undefined
}

/** Everything about who pays where. */
export type Payer = ReturnType<typeof requireConnected> & { readonly from: AccountId; readonly chainId: ChainId }

/**
 * Who would pay now.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function payerOf(latchkey: Latchkey): Payer {
  const live = requireConnected(latchkey)
  return { ...live, from: live.state.account, chainId: live.network.caipNetworkId }
}
