import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a network switch that the wallet did not perform.
 *
 * @example throw switchError('network/switch-unsupported', { wallet: connection.wallet.name })
 */
export const switchError: ErrorMaker<'network/add-refused' | 'network/switch-unsupported'> =
  /* @__PURE__ */ createErrors({
    'network/add-refused': ({ network }) => `Chain is not supported: the wallet did not add ${network}.`,
    'network/switch-unsupported': ({ wallet }) =>
      `${wallet} cannot switch networks on request. Switch inside the wallet.`,
  })
