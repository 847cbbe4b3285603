export { putSatsProvider, putUnisatProvider, type BitcoinPageWallet } from './bitcoin/bitcoinPageWallet.ts'
export type { BitcoinChain, PaymentKind } from './bitcoin/keys.ts'
export {
  createSimulatedBitcoinWallet,
  type SimulatedBitcoinOptions,
  type SimulatedBitcoinWallet,
} from './bitcoin/simulatedBitcoinWallet.ts'
export { registerStandardWallet } from './bitcoin/registerStandardWallet.ts'
export type { BatchKind } from './evm/batches.ts'
export { requestChain } from './evm/requestChain.ts'
export {
  createSimulatedExtension,
  type SimulatedExtension,
  type SimulatedExtensionOptions,
  type WalletRequest,
} from './evm/extension.ts'
export type { Fault, Faults, FaultTarget } from './faults.ts'
export type { ProviderInfo } from './page/info.ts'
export {
  announce,
  createPageProvider,
  injectLegacy,
  type Backend,
  type LegacyOptions,
  type PageProvider,
} from './page/pageProvider.ts'
export { RpcError } from './rpcError.ts'
export { messageFrom, openInSafe, type SafeWindow } from './safe/safeWindow.ts'
export {
  createSimulatedSafe,
  type SafeRequest,
  type SimulatedSafe,
  type SimulatedSafeOptions,
} from './safe/simulatedSafe.ts'
export { registerSolanaWallet } from './solana/register.ts'
export {
  createSimulatedSolanaWallet,
  type SimulatedSolanaOptions,
  type SimulatedSolanaWallet,
} from './solana/wallet.ts'
export type { SolanaWalletInfo } from './solana/standardWallet.ts'
export { putInjectedWeb3, type PolkadotPageExtension } from './polkadot/injectedWeb3.ts'
export type { PolkadotKind, PolkadotSeed } from './polkadot/keys.ts'
export {
  createSimulatedPolkadotExtension,
  type SimulatedPolkadotExtension,
  type SimulatedPolkadotOptions,
} from './polkadot/simulatedPolkadotExtension.ts'
export { testKeys } from './testKeys.ts'
export { isLatchkeyError } from '@latchkey/protocol'
