export { evm, type EvmOptions } from './evm.ts'
