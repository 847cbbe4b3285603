export { askChain } from './chainRpc.ts'
export {
  createSimulatedExtension,
  type SimulatedExtension,
  type SimulatedExtensionOptions,
  type WalletRequest,
} from './extension.ts'
export type { Fault, Faults, FaultTarget } from './faults.ts'
export type { ProviderInfo } from './info.ts'
export { announce, createPageProvider, type Backend, type PageProvider } from './pageProvider.ts'
export { RpcError } from './rpcError.ts'
