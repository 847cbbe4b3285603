import { createErrors, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'swap/allowance-failed': { symbol: string }
    'swap/approval-failed': { symbol: string; reason: string }
    'swap/exact-output-unsupported': { from: string; to: string }
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
    `The allowance of ${symbol} for the exchange could not be read. Nothing was sent. Try again.`,
  'swap/approval-failed': ({ symbol, reason }) =>
    `The approval of ${symbol} was reverted: ${reason}. Nothing was swapped.`,
  'swap/exact-output-unsupported': ({ from, to }) =>
    `The exchange does not quote an exact amount of ${to} for ${from}. Set the amount of ${from} instead.`,
  'swap/gas-price-unsupported': ({ network }) =>
    `Network not supported for Gas Price: the cost of a transaction on ${network} is unknown.`,
  'swap/insufficient-balance': ({ symbol }) => `The balance of ${symbol} is too low. Enter a smaller amount.`,
  'swap/insufficient-gas': ({ symbol }) =>
    `There is not enough ${symbol} to pay the network fee. Add some and try again.`,
  'swap/insufficient-liquidity': ({ from, to }) =>
    `The exchanges do not have enough ${to} for that much ${from}. Try a smaller amount.`,
  'swap/no-route': ({ from, to }) => `No route from ${from} to ${to} exists on this network. Choose another token.`,
  'swap/price-moved': () => 'The price moved by more than the slippage. Review the new quote and confirm again.',
  'swap/quote-failed': ({ reason }) => `The quote failed: ${reason}. Try again.`,
  'swap/refused': ({ reason }) =>
    `The transaction from the server does not match the quote: ${reason}. Nothing was sent.`,
  'swap/unsupported': ({ network }) => `Network not supported for Swaps: ${network} has none. Switch networks.`,
  'swap/would-fail': ({ reason }) => `The swap would fail: ${reason}. Nothing was sent.`,
})
