/** What few visits need, loaded together when one first does: apart, each would cost those who need none of it. */
export { forgetCaches } from './forgetCaches.ts'
export { followMemory, giveUpAbsent, restoreWith } from './restore.ts'
export { warnOfNetwork } from './warnOfNetwork.ts'
export { finishAttempt } from './resumeAttempt.ts'
export { watchLogin } from './watchLogin.ts'
