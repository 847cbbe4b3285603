import { useSyncExternalStore } from 'react'
import type { StoreApi } from 'zustand/vanilla'

/** Returns the value of a store, and updates the component when it changes. */
export function useStore<state>({ subscribe, getState, getInitialState }: StoreApi<state>): state {
  return useSyncExternalStore(subscribe, getState, getInitialState)
}
