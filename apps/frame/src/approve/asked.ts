import type { FrameRpcRequest } from '@latchkey/protocol'
import { refusals } from '../chain/rpcError.ts'
import type { FrameNetwork } from '../config.ts'
import type { ApprovalContext, Asked } from './approval.ts'

/**
 * Finds out on which network a request is to be carried out, and whether that is where the page is.
 *
 * @throws RpcError 4902
 */
export function askedOf(request: FrameRpcRequest, context: ApprovalContext, networks: readonly FrameNetwork[]): Asked {
  const { method, params } = request
  const family = method.startsWith('solana_') ? 'solana' : 'eip155'
  const isOfFamily = (chainId: string): boolean => chainId.startsWith(`${family}:`)
  const wanted = request.chainId === undefined ? context.chainId : readChainId(request.chainId)
  const network = networks.find(({ chainId }) => chainId === wanted)
  if (network === undefined || !isOfFamily(network.chainId)) throw refusals.unknownNetwork(wanted)
  // A page is on one network of each family; which one of the other family it means, only the request can say.
  if (isOfFamily(context.chainId) && context.chainId !== network.chainId) throw refusals.otherNetwork(wanted)
  return { ...context, method, params, network }
}

/** A chain as CAIP-2: pages also write the number of an eip155 chain, in either way. */
export function readChainId(chainId: string | number): string {
  if (typeof chainId === 'number') return `eip155:${chainId}`
  if (/^0x[\da-f]{1,14}$/i.test(chainId)) return `eip155:${Number(chainId)}`
  return /^\d{1,16}$/.test(chainId) ? `eip155:${Number(chainId)}` : chainId
}

/** The number of an eip155 chain. */
export function numberOf({ chainId }: FrameNetwork): number {
  return Number(chainId.slice(chainId.indexOf(':') + 1))
}

/**
 * The account that a request is about, as this wallet writes it.
 *
 * @throws RpcError 4100 unless the page was given it
 */
export function accountOf({ accounts, network }: Asked, address: string | undefined): string {
  const family = network.chainId.slice(0, network.chainId.indexOf(':'))
  const isSame = (own: string): boolean =>
    family === 'eip155' ? own.toLowerCase() === address?.toLowerCase() : own === address
  const own = accounts.filter(({ namespace }) => namespace === family)
  const found = address === undefined ? own[0] : own.find((each) => isSame(each.address))
  if (found === undefined) throw refusals.unauthorized(address ?? '')
  return found.address
}
