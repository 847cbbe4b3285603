export { walletConnect, type WalletConnectOptions } from './connector.ts'
export type { RelayWebSocket } from './relayLine.ts'
export type { Metadata } from './session.ts'
