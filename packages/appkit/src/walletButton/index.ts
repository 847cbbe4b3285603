export { isLatchkeyError } from '@latchkey/protocol'
export type { ConnectedWallet } from './connectWalletById.ts'
export { createAppKitWalletButton, type AppKitWalletButton } from './createAppKitWalletButton.ts'
