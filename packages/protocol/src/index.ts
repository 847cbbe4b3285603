export type { BalanceResponse, TokenBalance } from './api/balances.ts'
export type {
  ConvertAllowanceResponse,
  ConvertApprovalResponse,
  ConvertExact,
  ConvertGasPriceResponse,
  ConvertHop,
  ConvertQuote,
  ConvertQuotesResponse,
  ConvertToken,
  ConvertTokensResponse,
  ConvertTransactionResponse,
  ConvertTransactionRequest,
} from './api/convert.ts'
export type {
  HistoryFungible,
  HistoryItem,
  HistoryNft,
  HistoryPage,
  HistoryPicture,
  HistoryTransfer,
  IndexedSince,
  OperationType,
} from './api/history.ts'
export type { HeldNft, NftPage } from './api/nfts.ts'
export type { WalletListEntry, WalletListPage, WalletListQuery } from './api/wallets.ts'
export {
  formatAccountId,
  formatChainId,
  isAccountId,
  isChainId,
  parseAccountId,
  parseChainId,
  type AccountId,
  type ChainId,
  type ParsedAccountId,
  type ParsedChainId,
} from './caip/accountId.ts'
export { formatAssetId, parseAssetId, type AssetId, type ParsedAssetId } from './caip/assetId.ts'
export {
  createErrors,
  isLatchkeyError,
  LatchkeyError,
  type ContractError,
  type ErrorCode,
  type ErrorMaker,
  type ErrorContext,
  type ErrorContexts,
  type Sentences,
} from './errors.ts'
export { configError } from './errors/configError.ts'
export { connectionError } from './errors/connectionError.ts'
export { walletError } from './errors/walletError.ts'
export { contractError } from './errors/contractError.ts'
export { networkError } from './errors/networkError.ts'
export { httpError } from './errors/httpError.ts'
export { inputError } from './errors/inputError.ts'
export { requestError } from './errors/requestError.ts'
export { transactionError } from './errors/transactionError.ts'
export {
  frameResponse,
  frameError,
  frameEvent,
  parseFrameMessage,
  type FrameMessage,
  type FrameErrorDetails,
} from './frame/parseFrameMessage.ts'
export {
  frameLimits,
  frameSocials,
  frameTimes,
  type EmailAction,
  type FrameAccount,
  type FrameAccountType,
  type FrameMetadata,
  type FrameEvents,
  type FrameEventName,
  type FrameRequest,
  type FrameRequestName,
  type FrameRequests,
  type FrameRpcRequest,
  type FrameSocial,
  type FrameUser,
  type UpdateEmailAction,
} from './frame/frameRequests.ts'
export { frameRequest, parseFrameRequest, type InvalidFrameRequest } from './frame/parseFrameRequest.ts'
export { getField, isObject } from './getField.ts'
export { getListField } from './getListField.ts'
export { getStringField } from './getStringField.ts'
export { isRecord } from './isRecord.ts'
export { isNamespace, namespaces, type Namespace } from './namespaces.ts'
export type { Network } from './network.ts'
export {
  parsePaymentUri,
  formatPaymentRequest,
  formatReceiveUri,
  sharesAddresses,
  formatPaymentUri,
  type PaymentRequest,
  type PaymentUri,
} from './paymentUri.ts'
export { classifyMethod } from './classifyMethod.ts'
export { checkSignInMessage, formatSignInMessage, parseSignInMessage } from './signInMessage.ts'
export { signInWithEthereum, type SignInMessage, type SignInRequest, type SignInSession } from './signIn.ts'
