import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a wallet that does not work as expected.
 *
 * @example throw walletError('wallet/locked', { wallet: wallet.name })
 */
export const walletError: ErrorMaker<
  'wallet/invalid-response' | 'wallet/locked' | 'wallet/no-accounts' | 'wallet/unavailable'
> = /* @__PURE__ */ createErrors({
  'wallet/invalid-response': ({ wallet, method }) => `${wallet} sent an invalid response to ${method}.`,
  'wallet/locked': ({ wallet }) => `${wallet} is locked. Unlock it and try again.`,
  'wallet/no-accounts': ({ wallet }) =>
    `No account was shared. Allow one in ${wallet}, under its website access, then connect again.`,
  'wallet/unavailable': ({ wallet }) => `${wallet} stopped responding. Reload the page or open the wallet.`,
})
