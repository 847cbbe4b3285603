export { isLatchkeyError } from '@latchkey/protocol'
export type { SolanaProvider, SolanaProvider as Provider, SolanaTransaction } from './createSolanaProvider.ts'
export { SolanaAdapter, type SolanaAdapterOptions } from './SolanaAdapter.ts'
