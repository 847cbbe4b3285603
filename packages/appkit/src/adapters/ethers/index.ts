export { isLatchkeyError } from '@latchkey/protocol'
export { EthersAdapter } from './EthersAdapter.ts'
