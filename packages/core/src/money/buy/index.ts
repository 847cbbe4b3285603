export { buyProblem, type BuyProblem } from './buyProblem.ts'
export { chooseProvider, resetBuy, canBuy, openBuy } from './openBuy.ts'
export { listPurchases } from './purchases.ts'
export {
  choosePaymentCurrency,
  choosePaymentMethod,
  choosePurchaseCurrency,
  getBuyQuote,
  setPaymentAmount,
} from './buyQuotes.ts'
export { buyAgain, startBuy, type StartBuyOptions } from './startBuy.ts'
export {
  buyState,
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
  type StartedPurchase,
} from './state.ts'
export { trackPurchases } from './trackPurchases.ts'
export { watchBuy } from './watchBuy.ts'
