export type { Approval, ApprovalList, Approvals } from './approvals/approvals.ts'
export { listApprovals } from './approvals/listApprovals.ts'
export { approvalKey, revokeApproval, type Revocation } from './approvals/revokeApproval.ts'
export {
  buyState,
  chooseProvider,
  choosePaymentCurrency,
  choosePaymentMethod,
  choosePurchaseCurrency,
  openBuy,
  setPaymentAmount,
  startBuy,
  watchBuy,
  type BuyAmount,
  type BuyLimit,
  type BuyMethod,
  type BuyOrder,
  type BuyProvider,
  type BuyQuote,
  type BuyQuoteState,
  type BuyState,
  type BuyWindow,
  type PaymentCurrency,
  type Purchase,
  type PurchaseCurrency,
  type PurchaseStatus,
  type StartBuyOptions,
  type StartedPurchase,
} from './buy/index.ts'
export {
  acceptName,
  getNameExpiry,
  listNameOffers,
  listNames,
  registerName,
  releaseName,
  renewName,
  resolveAccountName,
  suggestNames,
  transferName,
  type NameSuggestion,
} from './names/index.ts'
export {
  canSpeedUp,
  followTransaction,
  pendingTransactions,
  replaceTransaction,
  stopTracking,
  trackPending,
  watchPending,
  type CallsOutcome,
  type Followed,
  type NamedTransaction,
  type PendingTransaction,
  type Purpose,
  type Replacement,
  type TrackedOutcome,
  type TrackOptions,
  type WatchOptions,
} from './pending/index.ts'
export {
  chooseToken,
  findToken,
  openSend,
  resetSend,
  setAmount,
  setAmountInDollars,
  setMax,
  setShare,
} from './send/form.ts'
export { enterReceiver, takePaymentLink } from './send/paymentLink.ts'
export { setReceiver } from './send/receiver.ts'
export {
  receiverBook,
  removeContact,
  removeRecentReceiver,
  saveContact,
  type Contact,
  type ReceiverBook,
} from './send/receiverBook.ts'
export { reviewSend } from './send/review.ts'
export { sendNow, type Payment } from './send/sendNow.ts'
export type { LinkProblem, SendNote, SendState, SendStatus, SendToken } from './send/sendState.ts'
export { sendState } from './send/state.ts'
export { approveSwap, type SentApproval } from './swap/approveSwap.ts'
export {
  chooseSwapToken,
  reverseSwap,
  setAutomaticSlippage,
  setSlippage,
  setSwapAmount,
  setSwapAmountInDollars,
  setSwapMax,
  setSwapReceivedAmount,
  setSwapShare,
} from './swap/chooseSwapToken.ts'
export { closeSwap, openSwap, type OpenSwapOptions } from './swap/openSwap.ts'
export { refreshQuote } from './swap/quotes.ts'
export { reviewSwap, type SwapReview } from './swap/reviewSwap.ts'
export {
  swapState,
  type QuoteState,
  type SwapFee,
  type SwapLimits,
  type SwapOrder,
  type SwapQuote,
  type SwapQuoteRequest,
  type SwapSide,
  type SwapState,
  type SwapStep,
  type SwapToken,
} from './swap/state.ts'
export { swapNow, type SentSwap } from './swap/swapNow.ts'
export {
  customTokenLimits,
  customTokens,
  importToken,
  removeCustomToken,
  type CustomToken,
} from './tokens/customTokens.ts'
export { hiddenAssets, isHiddenAsset, setHiddenAsset } from './tokens/hiddenAssets.ts'
export { listCustomTokens } from './tokens/listCustomTokens.ts'
export { reportSpam } from './tokens/reportSpam.ts'
export type {
  Asset,
  Fee,
  Finality,
  FollowOptions,
  Outcome,
  ReceiverNote,
  SubmittedTransaction,
  TransactionOrigin,
  Transfer,
  Transfers,
} from './transfers.ts'
// The codes also carry the declarations of their contexts into programs that use this entry.
export type { ApprovalCode } from './approvals/approvalError.ts'
export type { BuyCode } from './buy/buyError.ts'
export type { NameCode } from './names/nameError.ts'
export type { SendCode } from './send/sendError.ts'
export type { SwapCode } from './swap/swapError.ts'
