export { isLatchkeyError } from '@latchkey/protocol'
export { bridgeWagmi } from './bridgeWagmi.ts'
export { latchkeyConnector, type LatchkeyConnector, type LatchkeyConnectorOptions } from './latchkeyConnector.ts'
export { getLatchkey } from './getLatchkey.ts'
export type {
  ConnectorParameters,
  WagmiChain,
  WagmiConfig,
  WagmiConnector,
  WagmiEmitter,
  WagmiState,
} from './wagmiConfig.ts'
