export { buyProblem, chosenIn as chosenToBuy, methodFor as methodToBuy, type BuyProblem } from './buyProblem.ts'
export { chooseProvider, forgetBuy, mayBuy, openBuy } from './openBuy.ts'
export { listPurchases } from './purchases.ts'
export { choosePaymentCurrency, choosePurchaseCurrency, getBuyQuote, setPaymentAmount } from './quoting.ts'
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
  type PurchaseStanding,
} from './state.ts'
export { watchBuy } from './watchBuy.ts'
