export type { Asset, Fee, Outcome, ReceiverNote, Sent, Transfer, Transfers } from './transfers.ts'
export {
  followCalls,
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
export {
  coinTypeOf,
  isName,
  lookUpNames,
  nameSuffix,
  registerName,
  resolveAccountName,
  shortestName,
  suggestNames,
  type NameSuggestion,
} from './names/index.ts'
export { dollarsOf } from './send/dollars.ts'
export { chooseToken, findToken, openSend, resetSend, setAmount, setAmountInDollars, setMax } from './send/form.ts'
export { sayInEnglish, type SayNotice, type SendNotice } from './send/notice.ts'
export type { SendNote, SendState, SendStatus, SendToken } from './send/payment.ts'
export { resolveName, setReceiver } from './send/receiver.ts'
export { reviewSend } from './send/review.ts'
export { sendNow, type Payment } from './send/sendNow.ts'
export { sendState } from './send/state.ts'
export { loadTokens, nativeToken } from './send/tokens.ts'
export { approveSwap } from './swap/approveSwap.ts'
export { chooseSwapToken, setSlippage, setSwapAmount, setSwapMax, turnSwap } from './swap/choosing.ts'
export {
  feeDollars,
  impactOf,
  impactWarnsAbove,
  minimumOf,
  slippageBounds,
  swapAmountOf,
  swapDollarsOf,
} from './swap/figures.ts'
export { listSwapTokens, type SwapTokenList } from './swap/listing.ts'
export { closeSwap, openSwap, type SwapBeginning } from './swap/openSwap.ts'
export { keepQuoteFresh, refreshQuote } from './swap/quoting.ts'
export { refreshOrder, reviewSwap } from './swap/reviewSwap.ts'
export {
  chosenSwapToken,
  defaultSlippage,
  swapState,
  type QuoteState,
  type SwapFee,
  type SwapOrder,
  type SwapQuestion,
  type SwapQuote,
  type SwapSide,
  type SwapState,
  type SwapToken,
  type SwapWay,
} from './swap/state.ts'
export { swapNow, type SwapNotices } from './swap/swapNow.ts'
export { knownQuote, swapProblem, type SwapProblem } from './swap/swapProblem.ts'
export {
  buyAgain,
  buyProblem,
  buyState,
  choosePaymentCurrency,
  chooseProvider,
  choosePurchaseCurrency,
  chosenToBuy,
  forgetBuy,
  getBuyQuote,
  listPurchases,
  mayBuy,
  methodToBuy,
  openBuy,
  setPaymentAmount,
  startBuy,
  watchBuy,
  type BuyAmount,
  type BuyLimit,
  type BuyMethod,
  type BuyOrder,
  type BuyProblem,
  type BuyProvider,
  type BuyQuote,
  type BuyQuoteState,
  type BuyState,
  type BuyWindow,
  type PaymentCurrency,
  type Purchase,
  type PurchaseCurrency,
  type PurchaseStanding,
  type StartBuyOptions,
} from './buy/index.ts'
