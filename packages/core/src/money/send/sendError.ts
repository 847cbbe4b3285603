import { createErrors, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'send/incomplete': object
    'send/insufficient-funds': { what: 'amount' | 'fee' }
    'send/uncertain': object
    'send/unsupported': { network: string }
  }
}

export type SendCode = Extract<ErrorCode, `send/${string}`>

/** The errors of payments, loaded together with the payment code. */
export const sendError: ErrorMaker<SendCode> = createErrors<SendCode>({
  'send/unsupported': ({ network }) => `Unsupported chain: sending on ${network} networks is not supported.`,
  'send/incomplete': () => 'Please enter a valid amount and receiver address',
  'send/insufficient-funds': ({ what }) =>
    what === 'fee'
      ? 'There is too little left for the network fee. Send less, or add some of the native currency.'
      : 'Your balance no longer covers this amount. Enter a smaller amount.',
  'send/uncertain': () =>
    'It is unknown if the last payment was sent. Check the wallet, then review this payment again.',
})
