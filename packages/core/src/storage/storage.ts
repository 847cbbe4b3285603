/**
 * Stores values between page loads. Every implementation passes `describeStorage` of `@latchkey/core/testing`. Values are
 * strings; keys already have the prefix `@latchkey/`.
 */
export type Storage = {
  /** @throws any error if the storage is blocked; callers continue as if it was empty */
  getItem(key: string): string | undefined
  /** @throws any error if the value can't be stored (full, blocked); callers continue without it */
  setItem(key: string, value: string): void
  removeItem(key: string): void
  /** Follows changes of other tabs. Returns a function that stops it. */
  subscribe?(listener: (key: string, value: string | undefined) => void): () => void
}
