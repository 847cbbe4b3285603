export { isLatchkeyError } from '@latchkey/protocol'
export { BitcoinAdapter, type BitcoinAdapterOptions } from './BitcoinAdapter.ts'
export type { BitcoinAccountAddress, BitcoinConnector } from './createBitcoinConnector.ts'
