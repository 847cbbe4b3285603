import { createErrors, isLatchkeyError, LatchkeyError, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

/** Why a purchase does not go on. */
export type BuyCode = Extract<ErrorCode, `buy/${string}`>

/** Makes the errors of buying. */
export const buyError: ErrorMaker<BuyCode> = createErrors<BuyCode>({
  'buy/no-quote': ({ provider }) => `${provider} cannot say what this costs now. Try again, or change the amount.`,
  'buy/no-page': ({ provider }) => `${provider} could not begin the purchase. Nothing was paid; try again.`,
  'buy/unsupported': ({ network }) => `Nobody sells coins on ${network} here. Switch networks.`,
})

/** What was caught, in our own words. */
export function asBuyError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  return new LatchkeyError('http/invalid-answer', { what: 'purchases' }, { cause: error })
}
