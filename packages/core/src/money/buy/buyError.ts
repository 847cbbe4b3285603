import {
  createErrors,
  isLatchkeyError,
  type ErrorCode,
  type ErrorMaker,
  httpError,
  type LatchkeyError,
} from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'buy/no-page': { provider: string }
    'buy/no-quote': { provider: string }
    'buy/unsupported': { network: string }
  }
}

/** The errors of purchases. */
export type BuyCode = Extract<ErrorCode, `buy/${string}`>

/** Creates an error of a purchase. */
export const buyError: ErrorMaker<BuyCode> = createErrors<BuyCode>({
  'buy/no-quote': ({ provider }) => `${provider} has no quote for this amount now. Try again, or change the amount.`,
  'buy/no-page': ({ provider }) => `${provider} could not start the purchase. Nothing was paid. Try again.`,
  'buy/unsupported': ({ network }) => `No provider sells coins on ${network}. Switch networks.`,
})

/** Converts a caught value to a LatchkeyError. */
export function toBuyError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  return httpError('http/invalid-response', { subject: 'purchases' }, { cause: error })
}
