export { claimOutcome } from './claimOutcome.ts'
export { followCalls, type CallsOutcome } from './followCalls.ts'
export { followTransaction, type Followed } from './followTransaction.ts'
export {
  pendingTransactions,
  type NamedTransaction,
  type PendingTransaction,
  type Purpose,
} from './pendingTransactions.ts'
export { trackPending, type TrackedOutcome, type TrackOptions } from './trackPending.ts'
export { canSpeedUp, replaceTransaction, type Replacement } from './replaceTransaction.ts'
export { sendTracked } from './sendTracked.ts'
export { stopTracking } from './stopTracking.ts'
export { watchPending, type WatchOptions } from './watchPending.ts'
