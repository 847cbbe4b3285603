import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a network that cannot be read, or of a network switch that the wallet did not perform.
 *
 * @example throw networkError('network/not-found', { chainId })
 */
export const networkError: ErrorMaker<
  'network/add-refused' | 'network/not-found' | 'network/switch-unsupported' | 'rpc/unreachable'
> = /* @__PURE__ */ createErrors({
  'network/add-refused': ({ network }) => `Chain is not supported: the wallet did not add ${network}.`,
  'network/not-found': ({ chainId }) => `Network Not Found: "${chainId}" is not among the configured networks.`,
  'network/switch-unsupported': ({ wallet }) =>
    `${wallet} cannot switch networks on request. Switch inside the wallet.`,
  'rpc/unreachable': ({ network }) => `No RPC endpoint of ${network} responds. Try again, or use another network.`,
})
