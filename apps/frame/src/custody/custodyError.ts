import { createErrors, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'custody/invalid-phrase': object
    'custody/invalid-share': { reason: string }
    'custody/last-recovery-method': object
    'custody/mismatch': { reason: string }
    'custody/unreadable': { what: string }
    'custody/recovery-method-needed': { method: string }
    'custody/wallet-elsewhere': object
  }
}

/** Errors of keys and key shares. No sentence reveals anything about a secret. */
export const custodyError: ErrorMaker<
  | 'custody/invalid-phrase'
  | 'custody/invalid-share'
  | 'custody/last-recovery-method'
  | 'custody/mismatch'
  | 'custody/unreadable'
  | 'custody/recovery-method-needed'
  | 'custody/wallet-elsewhere'
> = createErrors({
  'custody/invalid-phrase': () => 'This is not a valid recovery phrase. Check each word and the order.',
  'custody/invalid-share': ({ reason }) => `A key share cannot be used: ${reason}. Use another recovery method.`,
  'custody/last-recovery-method': () => 'This is the last recovery method. Set up another one first.',
  'custody/mismatch': ({ reason }) => `The key shares do not match: ${reason}. Nothing was opened.`,
  'custody/unreadable': ({ what }) =>
    `${what} cannot be opened with this key: it was changed, or belongs to another wallet. Nothing was overwritten.`,
  'custody/recovery-method-needed': ({ method }) =>
    `The remaining recovery method (${method}) must be used once, so that it keeps working.`,
  'custody/wallet-elsewhere': () =>
    'You already have a wallet, and this login can’t open it here. Log in with your current address, or on a device that has opened it before.',
})
