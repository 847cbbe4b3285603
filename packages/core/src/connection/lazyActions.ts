import { forgetCaches } from './forgetCaches.ts'
import { resumeAttempt } from './resumeAttempt.ts'
import { followMemory, giveUpAbsent, restoreWith } from './restore.ts'
import { watchLogin } from './watchLogin.ts'

/** The functions of the chunk that loads on first use. */
export type LazyActions = {
  readonly followMemory: typeof followMemory
  readonly forgetCaches: typeof forgetCaches
  readonly giveUpAbsent: typeof giveUpAbsent
  readonly restoreWith: typeof restoreWith
  readonly resumeAttempt: typeof resumeAttempt
  readonly watchLogin: typeof watchLogin
}

/** Loads code that few visits need, as one chunk on first use. Separate chunks would make the first chunk larger. */
export const lazyActions: LazyActions = {
  followMemory,
  forgetCaches,
  giveUpAbsent,
  restoreWith,
  resumeAttempt,
  watchLogin,
}
