import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}

/** Returns false on a server and in the first rendering of the page, which has to match that of the server. */
export function useIsMounted(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}
