/** The sign-in of a dapp, loaded on first use. One chunk: each further chunk would take shared code out of the others. */
export { authenticate } from './authenticate.ts'
export { createOneClickSignIn } from './oneClick.ts'
export { proposeWithSignIn } from './proposedSignIn.ts'
