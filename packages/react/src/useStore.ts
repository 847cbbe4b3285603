import { useSyncExternalStore } from 'react'
import type { StoreApi } from 'zustand/vanilla'

/** The present value of one of the instance's stores. */
export function useStore<state>({ subscribe, getState, getInitialState }: StoreApi<state>): state {
  return useSyncExternalStore(subscribe, getState, getInitialState)
}
