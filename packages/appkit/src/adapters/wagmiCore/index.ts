export { isLatchkeyError } from '@latchkey/protocol'
export { WagmiAdapter, type WagmiAdapterOptions } from './WagmiAdapter.ts'
