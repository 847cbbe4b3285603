export type {
  Adapter,
  Balance,
  Call,
  CallsStatus,
  DiscoveryListener,
  Permission,
  Receipt,
  TransactionRequest,
  WalletAsset,
  WalletCalls,
} from './adapter.ts'
export { request, sendTransaction, signMessage, verifyMessage, waitForTransaction } from './actions/askWallet.ts'
export { cancelSignIn } from './actions/cancelSignIn.ts'
export { chooseAccounts } from './actions/chooseAccounts.ts'
export { connect, type ConnectOptions } from './actions/connect.ts'
export { connectAll } from './actions/connectAll.ts'
export { disconnect, type DisconnectTarget } from './actions/disconnect.ts'
export { finishConnecting } from './actions/finishConnecting.ts'
export { getBalance, type ReadOptions } from './actions/getBalance.ts'
export { getIdentity, type Identity } from './actions/getIdentity.ts'
export { getHistory } from './actions/getHistory.ts'
export { getNfts } from './actions/getNfts.ts'
export { getTokens, type TokenOptions } from './actions/getTokens.ts'
export { getWallets, isExcluded, walletImageUrl, walletsPerPage, walletsPerSearch } from './actions/getWallets.ts'
export {
  listConnectMethods,
  listWallets,
  type ListWalletsOptions,
  type WalletRow,
  type WalletRows,
} from './actions/listWallets.ts'
export {
  closeModal,
  dismissModal,
  embedModal,
  goBack,
  holdRequest,
  modalReady,
  openModal,
  pushView,
  replaceView,
  resetView,
  type OpenOptions,
} from './actions/navigation.ts'
export { dismissAlert, hideToast, showAlert, showToast, type ToastOptions } from './actions/notices.ts'
export { forgetHoldings } from './account/forgetHoldings.ts'
export type { PageOptions } from './account/holder.ts'
export { abandonModal } from './actions/abandonModal.ts'
export { abandonPairing } from './actions/abandonPairing.ts'
export { pair } from './actions/pair.ts'
export {
  getAccounts,
  getConnections,
  switchAccount,
  switchConnection,
  type SharedAccount,
  type WalletConnection,
} from './actions/several.ts'
export type { RequestOptions } from './actions/requestOptions.ts'
export { setActiveNamespace } from './actions/setActiveNamespace.ts'
export { recall, start } from './actions/start.ts'
export { switchNetwork } from './actions/switchNetwork.ts'
export {
  getCallsStatus,
  getCapabilities,
  getWalletAssets,
  grantPermissions,
  revokePermissions,
  sendCalls,
  waitForCalls,
  type CallBatch,
} from './actions/walletCalls.ts'
export { systemClock, type Clock } from './clock.ts'
export { companion } from './companion.ts'
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
  Reach,
} from './connector.ts'
export type { LatchkeyEvent } from './events.ts'
export { shortenAddress } from './format/address.ts'
export { displayAmount, formatAmount, parseAmount } from './format/amount.ts'
export { lazyConnector } from './lazyConnector.ts'
export { createLatchkey, type Latchkey } from './latchkey.ts'
export type { Login, LoginAccountType, LoginLook, LoginNews, LoginScreen, LoginState, LoginUser } from './login.ts'
export { currentEntry, type Direction, type ModalState } from './modal/modal.ts'
export { type ViewEntry, type ViewName, type Views } from './modal/views.ts'
export type {
  AppMetadata,
  ConnectMethod,
  ConnectorGroup,
  Features,
  LatchkeyOptions,
  SocialProvider,
  UnsupportedNetworkPolicy,
} from './options.ts'
export type { ConnectionState, WalletState } from './state/connections.ts'
export type { Alert, AlertCode, PairingState, SaidByModal, ToastState } from './state/notices.ts'
export { isApproved } from './state/standing.ts'
export { getAccount, type AccountState } from './state/wallet.ts'
export { orAborted, walletPatience, within } from './patience.ts'
export { cookieStorage, type CookieJar } from './storage/cookieStorage.ts'
export type { Memory, RecentWallet } from './storage/memory.ts'
export { memoryStorage } from './storage/memoryStorage.ts'
export { pageStorage } from './storage/pageStorage.ts'
export type { Storage } from './storage/storage.ts'
export { signIn, signOut } from './signIn/actions.ts'
export type { SignInTexts } from './signIn/draft.ts'
export { localSignIn, type LocalSignInOptions } from './signIn/localSignIn.ts'
export { serverSignIn, type ServerSignInOptions } from './signIn/serverSignIn.ts'
export type { SignIn, SignInAsk, SignInDraft, SignInState } from './signIn/signIn.ts'
export { learnServed, supports, type Feature } from './supports.ts'
export type { SiweConfig, SiweMessageArgs, SiweMessageParams, SiweSession } from './signIn/siweConfig.ts'
