// One chunk, because each costs bytes in the import of the adapter.
export { switchWithinWallet } from '@latchkey/adapter-kit'
export { waitForPolkadotReceipt } from '../chain/waitForPolkadotReceipt.ts'
export { refuseTransaction } from './refuseTransaction.ts'
export { requestRawSignature } from './requestRawSignature.ts'
