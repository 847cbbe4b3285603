export {
  buyState,
  chooseProvider,
  choosePaymentCurrency,
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
} from './buy/index.ts'
export { listNames, registerName, resolveAccountName, suggestNames, type NameSuggestion } from './names/index.ts'
export {
  followTransaction,
  pendingTransactions,
  replaceTransaction,
  watchPending,
  type Followed,
  type PendingTransaction,
  type Purpose,
  type Replacement,
  type WatchOptions,
} from './pending/index.ts'
export { chooseToken, findToken, openSend, resetSend, setAmount, setAmountInDollars, setMax } from './send/form.ts'
export { setReceiver } from './send/receiver.ts'
export { reviewSend } from './send/review.ts'
export { sendNow, type Payment } from './send/sendNow.ts'
export type { SendNote, SendState, SendStatus, SendToken } from './send/sendState.ts'
export { sendState } from './send/state.ts'
export { approveSwap } from './swap/approveSwap.ts'
export { chooseSwapToken, reverseSwap, setSlippage, setSwapAmount, setSwapMax } from './swap/chooseSwapToken.ts'
export { closeSwap, openSwap, type OpenSwapOptions } from './swap/openSwap.ts'
export { refreshQuote } from './swap/quotes.ts'
export { reviewSwap, type SwapReview } from './swap/reviewSwap.ts'
export {
  swapState,
  type QuoteState,
  type SwapFee,
  type SwapOrder,
  type SwapQuote,
  type SwapQuoteRequest,
  type SwapSide,
  type SwapState,
  type SwapStep,
  type SwapToken,
} from './swap/state.ts'
export { swapNow, type SentSwap } from './swap/swapNow.ts'
export type { Asset, Fee, Outcome, ReceiverNote, Sent, Transfer, Transfers } from './transfers.ts'
// The codes also carry the declarations of their contexts into programs that use this entry.
export type { BuyCode } from './buy/buyError.ts'
export type { NameCode } from './names/nameError.ts'
export type { SendCode } from './send/sendError.ts'
export type { SwapCode } from './swap/swapError.ts'
