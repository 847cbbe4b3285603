import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}

/** Returns false in HTML that was rendered in advance, and true once the code of the component runs. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}
