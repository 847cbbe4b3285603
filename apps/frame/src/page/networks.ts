import type { FrameRpcRequest } from '@latchkey/protocol'
import { refusals } from '../chain/rpcError.ts'
import type { FrameNetwork } from '../config.ts'

/**
 * The network that a page means: by its CAIP-2 id, or as pages of eip155 write it, by number or hexadecimal.
 *
 * @throws RpcError 4902 for a network that this deployment has not
 */
export function networkOf(networks: readonly FrameNetwork[], chainId: string | number): FrameNetwork {
  const text = typeof chainId === 'string' && chainId.includes(':') ? chainId : `eip155:${Number(chainId)}`
  const network = networks.find((each) => each.chainId === text)
  if (network === undefined) throw refusals.unknownNetwork(String(chainId))
  return network
}

/** The network that a request is about: what it says itself, then the one in use, then the first of its family. */
export function networkOfRequest(
  networks: readonly FrameNetwork[],
  { chainId, chainNamespace }: FrameRpcRequest,
  inUse: FrameNetwork,
): FrameNetwork {
  if (chainId !== undefined) return networkOf(networks, chainId)
  if (chainNamespace === undefined || familyOf(inUse) === chainNamespace) return inUse
  const first = networks.find((each) => familyOf(each) === chainNamespace)
  if (first === undefined) throw refusals.unknownNetwork(chainNamespace)
  return first
}

/** The namespace of a network's CAIP-2 id. */
export function familyOf({ chainId }: Pick<FrameNetwork, 'chainId'>): string {
  return chainId.slice(0, chainId.indexOf(':'))
}
