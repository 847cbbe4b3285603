import { useSyncExternalStore } from 'react'

const query = '(min-width: 768px)'

/** Returns true on screens of at least 768 pixels, and on a server. */
export function useIsLargeScreen(): boolean {
  return useSyncExternalStore(
    subscribeToWidth,
    () => matchMedia(query).matches,
    () => true,
  )
}

function subscribeToWidth(onChange: () => void): () => void {
  const width = matchMedia(query)
  width.addEventListener('change', onChange)
  return () => width.removeEventListener('change', onChange)
}
