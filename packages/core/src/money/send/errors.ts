import { createErrors, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

type SendCode = Extract<ErrorCode, `send/${string}`>

/** The failures of payments, said here and loaded with them. */
export const sendError: ErrorMaker<SendCode> = createErrors<SendCode>({
  'send/unsupported': ({ family }) => `Unsupported chain: nothing can be sent on ${family} networks from here.`,
  'send/incomplete': () => 'Please enter a valid amount and receiver address',
  'send/short': ({ what }) =>
    what === 'fee'
      ? 'There is too little left for the network fee. Send less, or add some of the native currency.'
      : 'The balance is smaller than the amount by now. Look at it again and send less.',
  'send/uncertain': () =>
    'Whether the last payment was sent is not known. Look it up in the wallet, then review this one again.',
})
