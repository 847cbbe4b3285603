import { resumeAttempt } from './resumeAttempt.ts'
import { followMemory, disconnectMissing, restoreWith } from './restore.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { watchLogin } from './watchLogin.ts'
import { watchUnlock } from './watchUnlock.ts'

/** The functions of the chunk that loads on first use. */
export type LazyActions = {
  readonly followMemory: typeof followMemory
  readonly disconnectMissing: typeof disconnectMissing
  readonly restoreWith: typeof restoreWith
  readonly resumeAttempt: typeof resumeAttempt
  readonly watchLogin: typeof watchLogin
  readonly watchUnlock: typeof watchUnlock
  readonly watchSignIn: (latchkey: Latchkey, signal: AbortSignal) => Promise<void>
}

/** Loads code that few visits need, as one chunk on first use. Separate chunks would make the first chunk larger. */
export const lazyActions: LazyActions = {
  followMemory,
  disconnectMissing,
  restoreWith,
  resumeAttempt,
  watchLogin,
  watchUnlock,
  // Sign-in is a chunk of its own, because few apps use it.
  watchSignIn: async (latchkey, signal) => (await import('../signIn/watchSignIn.ts')).watchSignIn(latchkey, signal),
}
