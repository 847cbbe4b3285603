/** Calls `wake` when the network returns or the page becomes visible. Returns a function that stops it. */
export function onBrowserWake(wake: () => void): () => void {
  const page = typeof document === 'undefined' ? undefined : document
  // Node has a global scope without events.
  const scope = typeof addEventListener === 'undefined' ? undefined : globalThis
  const onVisibilityChange = (): void => {
    if (page?.visibilityState === 'visible') wake()
  }
  scope?.addEventListener('online', wake)
  page?.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    scope?.removeEventListener('online', wake)
    page?.removeEventListener('visibilitychange', onVisibilityChange)
  }
}
