export { createSolanaSigner, type SolanaSigner, type SolanaSignerOptions } from './kit/createSolanaSigner.ts'
export { createStandardWallet, type StandardWalletOptions } from './standard/createStandardWallet.ts'
export { registerStandardWallet, type RegisterStandardWalletOptions } from './standard/registerStandardWallet.ts'
export type {
  LatchkeyStandardWallet,
  StandardAccount,
  StandardChain,
  StandardFeatures,
  StandardMessageInput,
  StandardSendInput,
  StandardSigningFeature,
  StandardTransactionInput,
} from './standard/standardAccount.ts'
export { isLatchkeyError } from '@latchkey/protocol'
