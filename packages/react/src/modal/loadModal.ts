/** The modal together with its first view, so that the first press waits for one thing. */
export function loadModal(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}
