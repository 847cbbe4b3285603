export type { BalanceAnswer, TokenBalance } from './api/balances.ts'
export type {
  ConvertAllowanceAnswer,
  ConvertApprovalAnswer,
  ConvertGasPriceAnswer,
  ConvertHop,
  ConvertQuote,
  ConvertQuotesAnswer,
  ConvertToken,
  ConvertTokensAnswer,
  ConvertTransactionAnswer,
  ConvertTransactionQuestion,
} from './api/convert.ts'
export type {
  HistoryFungible,
  HistoryItem,
  HistoryNft,
  HistoryPage,
  HistoryPicture,
  HistoryTransfer,
  OperationType,
} from './api/history.ts'
export type { HeldNft, NftPage } from './api/nfts.ts'
export type { WalletListEntry, WalletListPage, WalletListQuery } from './api/wallets.ts'
export {
  formatAccountId,
  formatAssetId,
  formatChainId,
  isAccountId,
  isChainId,
  parseAccountId,
  parseAssetId,
  parseChainId,
  type AccountId,
  type AccountIdParts,
  type AssetId,
  type AssetIdParts,
  type ChainId,
  type ChainIdParts,
} from './caip.ts'
export {
  createErrors,
  isLatchkeyError,
  LatchkeyError,
  type ErrorCode,
  type ErrorMaker,
  type Errors,
  type Sentences,
  type EmbeddedCode,
  type WalletConnectCode,
} from './errors.ts'
export {
  frameAnswer,
  frameError,
  frameNews,
  readFrameMessage,
  type FrameMessage,
  type FrameRefusal,
} from './frame/answers.ts'
export {
  frameLimits,
  frameSocials,
  frameTimes,
  type EmailAction,
  type FrameAccount,
  type FrameAccountType,
  type FrameMetadata,
  type FrameNews,
  type FrameNewsName,
  type FrameRequest,
  type FrameRequestName,
  type FrameRequests,
  type FrameRpcRequest,
  type FrameSocial,
  type FrameUser,
  type UpdateEmailAction,
} from './frame/messages.ts'
export { frameRequest, readFrameRequest, type BadFrameRequest } from './frame/requests.ts'
export { isNamespace, namespaces, type Namespace } from './namespaces.ts'
export type { Network } from './network.ts'
export { parsePaymentUri, receiveUri, sharesAddresses, writePaymentUri, type PaymentUri } from './paymentUri.ts'
export { classifyMethod } from './rpcMethods.ts'
export { checkSignInMessage, formatSignInMessage, parseSignInMessage } from './signInMessage.ts'
export { signInWithEthereum, type SignInMessage, type SignInRequest, type SignInSession } from './signIn.ts'
