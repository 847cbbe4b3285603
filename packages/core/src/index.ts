export { isLatchkeyError } from '@latchkey/protocol'
export { getBalance, type ReadOptions } from './account/getBalance.ts'
export { getEnsAvatar, getEnsName, type EnsOptions } from './account/getEnsName.ts'
export { getHistory } from './account/getHistory.ts'
export { getIdentity, type Identity } from './account/getIdentity.ts'
export { getNfts } from './account/getNfts.ts'
export { getTokens, type TokenOptions } from './account/getTokens.ts'
export type { ActionCalls, InstanceAction, ActionState } from './actions/createAction.ts'
export type { PageOptions } from './account/accountPageUrl.ts'
export { chooseAccounts } from './connection/chooseAccounts.ts'
export { connect, type ConnectOptions } from './connection/connect.ts'
export { connectAll } from './connection/connectAll.ts'
export { getAccounts, getConnections, type SharedAccount, type WalletConnection } from './connection/getConnections.ts'
export { switchAccount, switchConnection } from './connection/switchConnection.ts'
export { disconnect, type DisconnectTarget } from './connection/disconnect.ts'
export { setActiveNamespace } from './connection/setActiveNamespace.ts'
export { hydrate, start } from './connection/start.ts'
export type {
  Adapter,
  Balance,
  Call,
  CallsStatus,
  DiscoveryListener,
  Feature,
  Permission,
  Receipt,
  ReceiptOptions,
  TransactionRequest,
  WalletAsset,
  WalletCalls,
} from './contracts/adapter.ts'
export type {
  ContractCall,
  ContractCallResult,
  ContractWrite,
  SmartContracts,
  StructuredData,
} from './contracts/smartContracts.ts'
export { systemClock, type Clock } from './contracts/clock.ts'
export type {
  AccountDetails,
  AccountType,
  Connection,
  ConnectionListener,
  Connector,
  ConnectorType,
  ConnectRequest,
  EndReason,
  OneClickSignIn,
  Provider,
  ProviderEvents,
  Reachability,
} from './contracts/connector.ts'
export type {
  Login,
  LoginAccountType,
  LoginAppearance,
  LoginEvent,
  LoginScreen,
  LoginState,
  LoginUser,
  SocialProvider,
} from './contracts/login.ts'
export { shortenAddress } from './format/address.ts'
export { displayAmount, formatAmount, parseAmount } from './format/amount.ts'
export type {
  Emitter,
  LatchkeyEvent,
  LatchkeyEventListener,
  LatchkeyEventPayloads,
  ProblemCode,
  ReplacementKind,
  TransactionResult,
} from './instance/events.ts'
export { createLatchkey, type Latchkey } from './instance/latchkey.ts'
export { recordLog, type EventLog, type LogEntry, type LogLevel, type LogOptions } from './instance/recordLog.ts'
export type {
  AppMetadata,
  ConnectMethod,
  ConnectorGroup,
  Features,
  LatchkeyOptions,
  UnsupportedNetworkPolicy,
} from './instance/options.ts'
export { supports } from './network/supports.ts'
export { switchNetwork } from './network/switchNetwork.ts'
export type { RequestOptions } from './requests/requestOptions.ts'
export {
  getCallsStatus,
  getCapabilities,
  getWalletAssets,
  grantPermissions,
  revokePermissions,
  sendCalls,
  waitForCalls,
  type CallBatch,
} from './requests/sendCalls.ts'
export {
  request,
  sendTransaction,
  signMessage,
  verifyMessage,
  waitForTransaction,
  type TransactionWait,
} from './requests/signMessage.ts'
export { signTypedData, type TypedDataSigner } from './requests/signTypedData.ts'
export { cancelSignIn } from './signIn/cancelSignIn.ts'
export type { SignInTexts } from './signIn/draft.ts'
export { localSignIn, type LocalSignInOptions } from './signIn/localSignIn.ts'
export { serverSignIn, type ServerSignInOptions } from './signIn/serverSignIn.ts'
export { signIn, signOut } from './signIn/signIn.ts'
export type { SignIn, SignInDraft, SignInMessageRequest, SignInState } from './signIn/signInState.ts'
export type { SiweConfig, SiweMessageArgs, SiweMessageParams, SiweSession } from './signIn/siweConfig.ts'
export type {
  AnyAbi,
  ContractRequest,
  ContractRequests,
  ContractResults,
  FunctionArgs,
  FunctionNames,
  FunctionResult,
  ReadMutability,
  TypedDataRequest,
  WriteMutability,
} from './smartContracts/contractRequest.ts'
export { readContract, readContracts, type ContractReadOptions } from './smartContracts/readContract.ts'
export { writeContract, type ContractPayment, type ContractWriter } from './smartContracts/writeContract.ts'
export type { ConnectionState, WalletState } from './state/connectionState.ts'
export { getAccount, type AccountState } from './state/getAccount.ts'
export { cookieStorage, selectCookies, type CookieJar } from './storage/cookieStorage.ts'
export { memoryStorage } from './storage/memoryStorage.ts'
export { pageStorage } from './storage/pageStorage.ts'
export type { RecentWallet } from './storage/recentWallets.ts'
export type { Storage } from './storage/storage.ts'
export { getWallets, walletImageUrl } from './walletList/getWallets.ts'
export { networkImageUrl } from './walletList/networkImageUrl.ts'
export { listWallets, type ListWalletsOptions, type WalletRow, type WalletRows } from './walletList/listWallets.ts'
export type { SignInCode } from './signIn/signInError.ts'
