export { AccountButton, ConnectButton, NetworkButton, WalletButton } from './components.ts'
export { latchkeyPlugin, useLatchkey } from './latchkeyPlugin.ts'
export {
  useAction,
  useConnect,
  useDisconnect,
  useSendTransaction,
  useSignIn,
  useSignMessage,
  useSwitchAccount,
  useSwitchConnection,
  useSwitchNetwork,
  type Action,
  type ConnectionTarget,
} from './useAction.ts'
export { useSignTypedData, useWriteContract, type SignTypedData, type WriteContract } from './useWriteContract.ts'
export {
  useAccount,
  useAccounts,
  useConnections,
  useConnectors,
  useModal,
  useNetworks,
  useSignInState,
} from './useAccount.ts'
export { useBalance, useCapabilities, useTokens, type Capabilities } from './useBalance.ts'
export { useEnsAvatar, useEnsName, useIdentity } from './useEnsName.ts'
export { useHistory, useNfts, type Pages } from './useHistory.ts'
export { useLatchkeyEvents } from './useLatchkeyEvents.ts'
export { useRead, type Read } from './useRead.ts'
export { useReadContract, useReadContracts } from './useReadContract.ts'
export { useWaitForTransaction } from './useWaitForTransaction.ts'
export { useWalletCalls, type WalletCalls } from './useWalletCalls.ts'
export { isLatchkeyError } from '@latchkey/protocol'
