/**
 * The entry for Latchkey's own packages: react, modal, the adapters and the connectors. It follows no semantic
 * versioning. Apps import `@latchkey/core`.
 *
 * @packageDocumentation
 */
export { createAction } from './actions/createAction.ts'
export { invalidateBalances } from './account/invalidateBalances.ts'
export { watchAccountChanges, type WatchAccountOptions } from './account/watchAccountChanges.ts'
export { requireWalletOf } from './connection/switchConnection.ts'
export { lazyConnector } from './contracts/lazyConnector.ts'
export { walletTimeouts, withAbort, withTimeout } from './contracts/walletTimeouts.ts'
export { defineFeature, getFeature, type FeatureKey } from './instance/defineFeature.ts'
export { internalsOf, type Internals, type Tasks } from './instance/latchkey.ts'
export type { Settings } from './instance/options.ts'
export { getBuySelection, getPaymentMethod, getQuickAmounts } from './money/buy/buyProblem.ts'
export { getBestProvider, getBuyRate } from './money/buy/getBestProvider.ts'
export {
  buyAgain,
  buyProblem,
  canBuy,
  getBuyQuote,
  listPurchases,
  resetBuy,
  trackPurchases,
  type BuyProblem,
} from './money/buy/index.ts'
export { coinTypeOf, isName, minimumNameLength, nameSuffix } from './money/names/index.ts'
export { claimOutcome, followCalls } from './money/pending/index.ts'
export { toDollars } from './money/send/dollars.ts'
export { parseUnits } from './money/send/validateSend.ts'
export { resolveName } from './money/send/receiver.ts'
export { loadTokens, nativeToken } from './money/send/tokens.ts'
export { listSwapTokens, type SwapTokenList } from './money/swap/listSwapTokens.ts'
export { keepQuoteFresh, quoteMilliseconds } from './money/swap/keepQuoteFresh.ts'
export { refreshOrder } from './money/swap/reviewSwap.ts'
export { chosenSwapToken, defaultSlippage } from './money/swap/state.ts'
export {
  getPriceImpact,
  getSwapLimits,
  parseSwapAmount,
  priceImpactConfirmPercent,
  priceImpactWarningPercent,
  slippageBounds,
  swapAmountInDollars,
  swapFeeInDollars,
} from './money/swap/swapAmounts.ts'
export { getCurrentQuote, getSwapUnits, swapProblem, type SwapProblem } from './money/swap/swapProblem.ts'
export { addCustomTokens } from './money/tokens/listCustomTokens.ts'
export { loadSupportedChains } from './network/supports.ts'
export { createWalletProvider, type WalletTransport } from './provider/createWalletProvider.ts'
export { requestFromWallet } from './provider/requestFromWallet.ts'
export { toProviderRpcError, type ProviderRpcError } from './provider/toProviderRpcError.ts'
export { connectionForRequest } from './requests/requestOptions.ts'
export { closeApprovals } from './requests/untilApprovalsClose.ts'
export { settleSignIn } from './signIn/settleSignIn.ts'
export { waitUntilRestored } from './state/waitUntilRestored.ts'
export { isNetworkApproved } from './state/connectedWallets.ts'
export { connectedWallet } from './state/connectionState.ts'
export { getDeepLink, setDeepLink } from './storage/deepLink.ts'
export type { Memory } from './storage/memory.ts'
export { getRecentWallets } from './storage/recentWallets.ts'
export { isExcluded, walletsPerPage, walletsPerSearch } from './walletList/getWallets.ts'
export { listConnectMethods } from './walletList/listWallets.ts'
export { tokenImageUrl } from './walletList/tokenImageUrl.ts'
