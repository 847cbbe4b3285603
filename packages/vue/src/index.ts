export { AccountButton, ConnectButton, NetworkButton, WalletButton } from './components.ts'
export { latchkeyPlugin, useLatchkey } from './latchkeyPlugin.ts'
export {
  useAction,
  useConnect,
  useDisconnect,
  useSendTransaction,
  useSignIn,
  useSignMessage,
  useSwitchNetwork,
  type Action,
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
export { useBalance, useRead, useReadContract, type Read } from './useRead.ts'
export { isLatchkeyError } from '@latchkey/protocol'
