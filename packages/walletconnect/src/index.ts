export { walletConnect, type WalletConnectOptions } from './connector.ts'
export type { RelayWebSocket } from './relaySocket.ts'
export type { Metadata } from './session.ts'
