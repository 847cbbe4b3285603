export { isLatchkeyError } from '@latchkey/protocol'
export { WagmiAdapter, type WagmiAdapterOptions } from './WagmiAdapter.ts'
export type { WagmiAdapterBase, WagmiAdapterBaseOptions, WagmiConfigParameters } from '../wagmi/WagmiAdapterBase.ts'
