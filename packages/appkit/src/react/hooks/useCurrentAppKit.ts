import { useSyncExternalStore } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import type { AppKit } from '../../instance/appKit.ts'
import { currentAppKit, requireAppKit } from '../../instance/currentAppKit.ts'

/**
 * Returns the instance that was created last, and follows a new one.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 */
export function useCurrentAppKit(): AppKit {
  // A server and the page both call createAppKit before they render.
  const { appKit } = useSyncExternalStore(currentAppKit.subscribe, currentAppKit.getState, currentAppKit.getState)
  return appKit ?? requireAppKit()
}

/** Returns the value of a store, and updates the component when it changes. */
export function useAppKitStore<state>({ subscribe, getState, getInitialState }: StoreApi<state>): state {
  return useSyncExternalStore(subscribe, getState, getInitialState)
}
