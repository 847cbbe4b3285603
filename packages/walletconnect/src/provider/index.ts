export type { RequestedNamespaces } from './requestedNamespaces.ts'
export { createUniversalProvider } from './createUniversalProvider.ts'
export type { ProviderRpcError } from '@latchkey/core/internal'
export { toEip1193, type Eip1193Provider } from './toEip1193.ts'
export type { NamespaceEvents, NamespaceProvider } from './namespaceProvider.ts'
export type { RpcRequest, RpcUrls } from './rpcClient.ts'
export type {
  UniversalConnectRequest,
  UniversalEvents,
  UniversalProvider,
  UniversalProviderOptions,
} from './universalProvider.ts'
