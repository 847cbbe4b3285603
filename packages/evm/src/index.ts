export type { EvmChain } from './chain/evmChain.ts'
export { evm, type EvmOptions } from './evm.ts'
export { isLatchkeyError } from '@latchkey/protocol'
