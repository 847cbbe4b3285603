export { describeAdapter, type AdapterWorld } from './describeAdapter.ts'
export { describeConnector, type ConnectorWorld } from './describeConnector.ts'
export { describeStorage, type StorageWorld } from './describeStorage.ts'
export { describeTransfers, type TransfersWorld } from './describeTransfers.ts'
export {
  failureOf,
  fakeAccount,
  fakeAdapter,
  fakeAddress,
  fakeConnector,
  fakeExchange,
  fakeHash,
  fakeLogin,
  fakeNetwork,
  fakeSignature,
  fakeStorage,
  fakeWorld,
  manualClock,
  settled,
  type FakeAdapter,
  type FakeAdapterOptions,
  type FakeConnector,
  type FakeConnectorOptions,
  type FakeLogin,
  type FakeLoginOptions,
  type FakeStorage,
  type FakeStorageOptions,
  type FakeWorld,
  type FakeWorldOptions,
  type ManualClock,
  type SentTransaction,
} from './fakes.ts'
