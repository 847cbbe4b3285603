/** What a dapp loads when it first asks for a sign-in; as one chunk, because each one more takes shared code out of the others. */
export { authenticate } from './authenticate.ts'
export { proposedWith } from './besideProposal.ts'
export { oneClickOf } from './oneClick.ts'
