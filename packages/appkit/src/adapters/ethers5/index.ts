export { isLatchkeyError } from '@latchkey/protocol'
export { Ethers5Adapter } from './Ethers5Adapter.ts'
