export { walletConnect, type WalletConnectOptions } from './connector.ts'
export type { RelayWebSocket } from './relayLine.ts'
export type { Metadata } from './session.ts'
export { walletLink, type PhoneSystem, type Redirect } from './walletLink.ts'
