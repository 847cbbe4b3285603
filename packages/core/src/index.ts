export type { Adapter, Balance, DiscoveryListener, Receipt, TransactionRequest } from './adapter.ts'
export { systemClock, type Clock } from './clock.ts'
export type { Connection, ConnectionListener, Connector, ConnectorType, ConnectRequest, Provider } from './connector.ts'
export type { Storage } from './storage/storage.ts'
