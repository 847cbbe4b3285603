export { verifyBip122 } from './bip122.ts'
export { verifyEip155 } from './eip155.ts'
export { verifyPolkadot } from './polkadot.ts'
export { verifySolana } from './solana.ts'
