import type { FrameRpcRequest } from '@latchkey/protocol'
import { rpcErrors } from '../chain/rpcError.ts'
import type { FrameNetwork } from '../frameConfig.ts'
import type { ApprovalContext, CheckedRequest } from './approval.ts'

/**
 * Finds the network of a request and checks that the page may use it.
 *
 * @throws RpcError 4902
 */
export function checkRequest(
  request: FrameRpcRequest,
  context: ApprovalContext,
  networks: readonly FrameNetwork[],
): CheckedRequest {
  const { method, params } = request
  const family = method.startsWith('solana_') ? 'solana' : 'eip155'
  const isOfFamily = (chainId: string): boolean => chainId.startsWith(`${family}:`)
  const wanted = request.chainId === undefined ? context.chainId : toCaipChainId(request.chainId)
  const network = networks.find(({ chainId }) => chainId === wanted)
  if (network === undefined || !isOfFamily(network.chainId)) throw rpcErrors.unknownNetwork(wanted)
  // A page has one active network per namespace. For the other namespace only the request names one.
  if (isOfFamily(context.chainId) && context.chainId !== network.chainId) throw rpcErrors.otherNetwork(wanted)
  return { ...context, method, params, network }
}

/** Converts a chain id to CAIP-2. Pages also write eip155 chains as decimal or hexadecimal numbers. */
export function toCaipChainId(chainId: string | number): string {
  if (typeof chainId === 'number') return `eip155:${chainId}`
  if (/^0x[\da-f]{1,14}$/i.test(chainId)) return `eip155:${Number(chainId)}`
  return /^\d{1,16}$/.test(chainId) ? `eip155:${Number(chainId)}` : chainId
}

/** Returns the number of an eip155 chain. */
export function chainNumberOf({ chainId }: FrameNetwork): number {
  return Number(chainId.slice(chainId.indexOf(':') + 1))
}

/**
 * Returns the granted account of a request, in the wallet's spelling.
 *
 * @throws RpcError 4100 if the account was not granted to the page
 */
export function getApprovedAccount({ accounts, network }: CheckedRequest, address: string | undefined): string {
  const family = network.chainId.slice(0, network.chainId.indexOf(':'))
  const isSameAddress = (own: string): boolean =>
    family === 'eip155' ? own.toLowerCase() === address?.toLowerCase() : own === address
  const own = accounts.filter(({ namespace }) => namespace === family)
  const found = address === undefined ? own[0] : own.find((each) => isSameAddress(each.address))
  if (found === undefined) throw rpcErrors.unauthorized(address ?? '')
  return found.address
}
