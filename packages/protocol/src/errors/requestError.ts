import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a request to a wallet.
 *
 * @example throw requestError('request/rejected', { method })
 */
export const requestError: ErrorMaker<
  'request/failed' | 'request/not-allowed' | 'request/rejected' | 'request/unknown'
> = /* @__PURE__ */ createErrors({
  'request/failed': ({ method, code, reason }) =>
    `The wallet failed to handle ${method}${code === undefined ? '' : ` (code ${code})`}: ${reason}`,
  'request/not-allowed': ({ method }) => `Requested RPC call is not allowed: ${method}`,
  'request/rejected': ({ method }) => `The request was rejected in the wallet (${method}). Send it again to retry.`,
  'request/unknown': ({ method }) =>
    `The outcome of ${method} is unknown: the wallet may still respond. Check the wallet before you send it again.`,
})
