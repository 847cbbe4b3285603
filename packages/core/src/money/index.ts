export type { Asset, Fee, Outcome, ReceiverNote, Sent, Transfer, Transfers } from './transfers.ts'
export {
  followTransaction,
  pendingTransactions,
  type Followed,
  type PendingTransaction,
  type Purpose,
} from './pending/index.ts'
export { dollarsOf } from './send/dollars.ts'
export { chooseToken, findToken, openSend, resetSend, setAmount, setAmountInDollars, setMax } from './send/form.ts'
export { sayInEnglish, type SayNotice, type SendNotice } from './send/notice.ts'
export type { SendNote, SendState, SendStatus, SendToken } from './send/payment.ts'
export { resolveName, setReceiver } from './send/receiver.ts'
export { reviewSend } from './send/review.ts'
export { sendNow, type Payment } from './send/sendNow.ts'
export { sendState } from './send/state.ts'
export { loadTokens } from './send/tokens.ts'
export * from './swap/index.ts'
