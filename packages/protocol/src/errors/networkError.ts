import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a network that cannot be read.
 *
 * @example throw networkError('network/not-found', { chainId })
 */
export const networkError: ErrorMaker<'network/not-found' | 'rpc/unreachable'> = /* @__PURE__ */ createErrors({
  'network/not-found': ({ chainId }) => `Network Not Found: "${chainId}" is not among the configured networks.`,
  'rpc/unreachable': ({ network }) => `No RPC endpoint of ${network} responds. Try again, or use another network.`,
})
