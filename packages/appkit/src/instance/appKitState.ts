import type { Latchkey } from '@latchkey/core'
import { modalOf } from '@latchkey/modal'
import type { ChainId, Namespace } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { readNetworkState } from './readNetworkState.ts'

/** The state of an instance, as AppKit describes it. */
export type AppKitState = {
  readonly loading: boolean
  readonly open: boolean
  readonly selectedNetworkId: ChainId | undefined
  readonly activeChain: Namespace | undefined
  /** True in a page, false on a server. */
  readonly initialized: boolean
  /** True while a wallet is asked to connect. */
  readonly connectingWallet: boolean
}

/** Set by the app and by the start, in addition to the state of Latchkey. */
export type Progress = { readonly loading: boolean; readonly initialized: boolean }

/** Creates a store of the state, which follows the instance once `followAppKitState` is called. */
export function createAppKitState({ latchkey }: { latchkey: Latchkey }): StoreApi<AppKitState> {
  return createStore<AppKitState>(() => readState({ latchkey }, { loading: false, initialized: false }))
}

/**
 * Updates the state whenever the instance changes.
 *
 * @returns a function that ends it
 */
export function followAppKitState({
  latchkey,
  state: store,
  progress,
}: {
  latchkey: Latchkey
  state: StoreApi<AppKitState>
  progress: StoreApi<Progress>
}): () => void {
  const update = (): void => {
    const [before, after] = [store.getState(), readState({ latchkey }, progress.getState())]
    const isSame = Object.entries(after).every(([name, value]) => Reflect.get(before, name) === value)
    if (!isSame) store.setState(after, true)
  }
  const stops = [
    modalOf(latchkey).state.subscribe(update),
    latchkey.wallet.subscribe(update),
    progress.subscribe(update),
  ]
  update()
  return () => {
    for (const stop of stops) stop()
  }
}

function readState({ latchkey }: { latchkey: Latchkey }, { loading, initialized }: Progress): AppKitState {
  const modal = modalOf(latchkey).state.getState()
  const { active, namespaces } = latchkey.wallet.getState()
  return {
    loading: loading || (modal.open && modal.loading),
    open: modal.open,
    selectedNetworkId: readNetworkState({ latchkey }).caipNetworkId,
    activeChain: active,
    initialized,
    connectingWallet: Object.values(namespaces).some((each) => each?.status === 'connecting'),
  }
}
