export { followTransaction, type Followed } from './followTransaction.ts'
export { pendingTransactions, type PendingTransaction, type Purpose } from './pendingTransactions.ts'
