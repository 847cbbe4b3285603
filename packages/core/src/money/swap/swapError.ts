import { createErrors, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'swap/allowance-failed': { symbol: string }
    'swap/approval-failed': { symbol: string; reason: string }
    'swap/gas-price-unsupported': { network: string }
    'swap/insufficient-balance': { symbol: string }
    'swap/insufficient-gas': { symbol: string }
    'swap/insufficient-liquidity': { from: string; to: string }
    'swap/no-route': { from: string; to: string }
    'swap/price-moved': object
    'swap/quote-failed': { reason: string }
    'swap/refused': { reason: string }
    'swap/unsupported': { network: string }
    'swap/would-fail': { reason: string }
  }
}

/** The errors of swaps. */
export type SwapCode = Extract<ErrorCode, `swap/${string}`>

/** Creates an error of a swap. */
export const swapError: ErrorMaker<SwapCode> = createErrors<SwapCode>({
  'swap/allowance-failed': ({ symbol }) =>
    `How much ${symbol} the exchange may take could not be read. Nothing was sent; try again.`,
  'swap/approval-failed': ({ symbol, reason }) =>
    `The approval of ${symbol} was reverted: ${reason}. Nothing was swapped.`,
  'swap/gas-price-unsupported': ({ network }) =>
    `Network not supported for Gas Price: nobody can say what a transaction costs on ${network}.`,
  'swap/insufficient-balance': ({ symbol }) => `There is less ${symbol} than that. Give less of it.`,
  'swap/insufficient-gas': ({ symbol }) => `There is not enough ${symbol} to pay for the transaction. Get some first.`,
  'swap/insufficient-liquidity': ({ from, to }) =>
    `The exchanges do not have enough ${to} for that much ${from}. Try a smaller amount.`,
  'swap/no-route': ({ from, to }) => `No exchange leads from ${from} to ${to} here. Choose another token.`,
  'swap/price-moved': () => 'The price moved further than the slippage allows. Look at the new one and confirm again.',
  'swap/quote-failed': ({ reason }) => `The price could not be told: ${reason}. Try again.`,
  'swap/refused': ({ reason }) => `What the server built is not what was agreed upon: ${reason}. Nothing was sent.`,
  'swap/unsupported': ({ network }) =>
    `Network not supported for Swaps: there are none on ${network}. Switch networks.`,
  'swap/would-fail': ({ reason }) => `The swap would fail: ${reason}. Nothing was sent.`,
})
