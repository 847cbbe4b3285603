import { createErrors, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'sign-in/no-account': object
    'sign-in/no-network': object
    'sign-in/not-enabled': object
    'sign-in/refused': { reason: string }
  }
}

export type SignInCode =
  | 'sign-in/invalid'
  | 'sign-in/no-account'
  | 'sign-in/no-network'
  | 'sign-in/not-enabled'
  | 'sign-in/refused'

/** Creates an error of the sign-in. */
export const signInError: ErrorMaker<SignInCode> = createErrors<SignInCode>({
  'sign-in/invalid': ({ reason }) => `The sign-in is invalid: ${reason}.`,
  'sign-in/no-account': () => 'No ActiveCaipAddress found: connect a wallet before signing in.',
  'sign-in/no-network': () => 'No ActiveCaipNetwork or client found: switch to a network of the app before signing in.',
  'sign-in/not-enabled': () => 'SIWX is not enabled: pass siwx to createLatchkey.',
  'sign-in/refused': ({ reason }) => `The sign-in was not accepted: ${reason}. Sign again.`,
})
