/** Loads the modal together with its first view, so that the first click waits for one request. */
export function loadModal(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}
