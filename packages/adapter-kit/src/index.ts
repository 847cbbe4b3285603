export { requireAccounts, toAccountId } from './accountIds.ts'
export { getChainReference } from './getChainReference.ts'
export { callMethod, MissingMethodError } from './callMethod.ts'
export { createConnectionListeners, type ConnectionListeners } from './connectionListeners.ts'
export { createMethodProvider, type AbandonableProvider, type MethodHandlers } from './createMethodProvider.ts'
export { defaultPage } from './defaultPage.ts'
export { fetchFirst } from './fetchFirst.ts'
export { findNetwork } from './findNetwork.ts'
export { formatExplorerUrl, type ExplorerPaths } from './formatExplorerUrl.ts'
export { listenForRegistrations, type RegistrationListener } from './listenForRegistrations.ts'
export { createPendingRequests, type PendingRequests, type RequestLimits } from './pendingRequests.ts'
export { pollUntil, type PollOptions } from './pollUntil.ts'
export { requestConnection } from './requestConnection.ts'
export { requireConnectedWallet } from './requireConnectedWallet.ts'
export { scanPage } from './scanPage.ts'
export { settleWithin } from './settleWithin.ts'
export { switchWithinWallet } from './switchWithinWallet.ts'
export { tryOrUndefined } from './tryOrUndefined.ts'
export {
  getErrorReason,
  invalidParams,
  parseThrown,
  toConnectionError,
  toRequestError,
  unsupportedMethodCodes,
  type WalletErrorRules,
} from './walletErrors.ts'
export { parseWalletIcon, parseWalletName } from './walletName.ts'
export { withRpcUrls, type RpcUrls } from './withRpcUrls.ts'
export { isLatchkeyError } from '@latchkey/protocol'
