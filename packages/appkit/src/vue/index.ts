export {
  useAppKit,
  useAppKitAccount,
  useAppKitConnections,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo,
} from './useAppKit.ts'
export * from '../index.ts'
