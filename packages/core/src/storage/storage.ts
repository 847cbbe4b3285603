/**
 * Where an instance remembers between page loads. Every implementation passes `describeStorage` of
 * `@latchkey/core/testing`. Values are texts; keys are already prefixed with `@latchkey/`.
 */
export type Storage = {
  /** @throws anything when the store is denied; callers go on as if nothing was kept. */
  getItem(key: string): string | undefined
  /** @throws anything when the value could not be kept (full, denied); callers go on without. */
  setItem(key: string, value: string): void
  removeItem(key: string): void
  /** Follows changes made by other tabs; returns what stops it. */
  subscribe?(listener: (key: string, value: string | undefined) => void): () => void
}
