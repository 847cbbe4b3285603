export type { ChainSource } from './contract.ts'
export {
  verifySignIn,
  type ExpectedSignIn,
  type SignedText,
  type SignInProblem,
  type SignInProof,
} from './verifySignIn.ts'
export { isLatchkeyError } from '@latchkey/protocol'
